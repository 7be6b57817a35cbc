package dev.onejob.document;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Turns YAML nodes into JSON and notes the line of each. */
final class YamlTree {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String file;
  private final Map<String, Integer> lines = new HashMap<>();
  private final List<ConfigProblem> problems = new ArrayList<>();

  YamlTree(String file) {
    this.file = file;
  }

  YamlDocument read(Node root) {
    lines.put("", line(root));
    JsonNode json = convert(root, "");
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new YamlDocument(file, json, Map.copyOf(lines));
  }

  private JsonNode convert(Node node, String pointer) {
    return switch (node) {
      case MappingNode mapping -> mapping(mapping, pointer);
      case SequenceNode sequence -> sequence(sequence, pointer);
      case ScalarNode scalar -> scalar(scalar, pointer);
      default -> throw new IllegalStateException("a node of YAML that is no node: " + node);
    };
  }

  private ObjectNode mapping(MappingNode mapping, String pointer) {
    ObjectNode object = JSON.objectNode();
    refuseForeignTag(mapping, Tag.MAP, pointer);
    for (NodeTuple member : mapping.getValue()) {
      if (!(member.getKeyNode() instanceof ScalarNode key)) {
        problem(member.getKeyNode(), pointer, "a name that is no plain text");
        continue;
      }
      String place = Pointers.child(pointer, key.getValue());
      if (object.has(key.getValue())) {
        problem(key, place, "is there twice; first on line " + lines.get(place));
        continue;
      }
      lines.put(place, line(key));
      object.set(key.getValue(), convert(member.getValueNode(), place));
    }
    return object;
  }

  private ArrayNode sequence(SequenceNode sequence, String pointer) {
    ArrayNode array = JSON.arrayNode();
    refuseForeignTag(sequence, Tag.SEQ, pointer);
    for (Node item : sequence.getValue()) {
      String place = Pointers.child(pointer, array.size());
      lines.put(place, line(item));
      array.add(convert(item, place));
    }
    return array;
  }

  private JsonNode scalar(ScalarNode scalar, String pointer) {
    Tag tag = scalar.getTag();
    String text = scalar.getValue();
    if (tag.equals(Tag.NULL)) {
      return JSON.nullNode();
    }
    if (tag.equals(Tag.BOOL)) {
      return JSON.booleanNode(Boolean.parseBoolean(text));
    }
    if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
      return number(scalar, pointer);
    }
    refuseForeignTag(scalar, Tag.STR, pointer);
    return JSON.stringNode(text);
  }

  private JsonNode number(ScalarNode scalar, String pointer) {
    try {
      return scalar.getTag().equals(Tag.INT)
          ? JSON.numberNode(new BigInteger(scalar.getValue()))
          : JSON.numberNode(new BigDecimal(scalar.getValue()));
    } catch (NumberFormatException e) {
      problem(scalar, pointer, "expected a number, got \"" + scalar.getValue() + "\"");
      return JSON.nullNode();
    }
  }

  private void refuseForeignTag(Node node, Tag expected, String pointer) {
    if (!node.getTag().equals(expected)) {
      problem(node, pointer, "the tag " + node.getTag() + " is not supported");
    }
  }

  private void problem(Node node, String pointer, String message) {
    String name = Pointers.dotted(pointer);
    problems.add(
        new ConfigProblem(file, line(node), name.isEmpty() ? message : name + ": " + message));
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }
}
