package dev.onejob.document;

import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.JsonValue;
import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonBoolean;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import dev.onejob.intent.JsonValue.Member;
import dev.onejob.intent.StrictJson;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON files as documents, by the strict reader: YAML would take more, and tabs not at all. */
final class JsonText {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final JsonLimits LIMITS =
      new JsonLimits(YamlDocument.FILE_CHARS_MAX, YamlForm.DEPTH_MAX, 1_000, 1 << 20);

  private final String file;
  private final byte[] utf8;
  private final Map<String, Integer> lines = new HashMap<>();
  private int seenTo;
  private int line = 1;

  private JsonText(String file, byte[] utf8) {
    this.file = file;
    this.utf8 = utf8;
  }

  static YamlDocument read(String file, String text) {
    return new JsonText(file, text.getBytes(StandardCharsets.UTF_8)).document();
  }

  private YamlDocument document() {
    try {
      JsonValue value = StrictJson.read(utf8, LIMITS);
      JsonNode root = tree(value, "");
      return new YamlDocument(file, root, Map.copyOf(lines));
    } catch (JsonRefused e) {
      throw ConfigException.of(file, lineAt(e.offset()), "is not JSON: " + e.getMessage());
    }
  }

  private JsonNode tree(JsonValue value, String pointer) {
    lines.put(pointer, lineAt(value.start()));
    return switch (value) {
      case JsonObject object -> {
        ObjectNode node = JSON.objectNode();
        for (Member member : object.members()) {
          node.set(member.name(), tree(member.value(), Pointers.child(pointer, member.name())));
        }
        yield node;
      }
      case JsonArray array -> {
        ArrayNode node = JSON.arrayNode();
        array
            .elements()
            .forEach(item -> node.add(tree(item, Pointers.child(pointer, node.size()))));
        yield node;
      }
      case JsonString string -> JSON.stringNode(string.text());
      case JsonNumber number -> number(number, pointer);
      case JsonBoolean bool -> JSON.booleanNode(bool.value());
      case JsonNull nothing -> JSON.nullNode();
    };
  }

  private JsonNode number(JsonNumber number, String pointer) {
    try {
      BigDecimal exact = new BigDecimal(number.text());
      return exact.scale() == 0
          ? JSON.numberNode(exact.toBigIntegerExact())
          : JSON.numberNode(exact);
    } catch (NumberFormatException e) {
      throw ConfigException.of(
          file, lineAt(number.start()), Pointers.dotted(pointer) + ": a number beyond all bounds");
    }
  }

  /** Values are asked for in the order of the text, but for a refusal. */
  private int lineAt(int offset) {
    if (offset < seenTo) {
      seenTo = 0;
      line = 1;
    }
    for (; seenTo < Math.min(offset, utf8.length); seenTo++) {
      if (utf8[seenTo] == '\n') {
        line++;
      }
    }
    return line;
  }
}
