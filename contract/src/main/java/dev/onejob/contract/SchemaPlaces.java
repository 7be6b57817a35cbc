package dev.onejob.contract;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which parts of a schema speak about which place of a value, whether or not they hold there: every
 * alternative counts. Tells what a schema declares, which is another question than what it allows.
 */
public final class SchemaPlaces {
  private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");
  private static final List<String> SINGLES = List.of("if", "then", "else");
  private static final List<String> REFERENCES = List.of("$ref", "$dynamicRef");

  private final JsonNode root;
  private final Map<String, LinearPattern> patterns = new ConcurrentHashMap<>();

  /** Places of a schema whose references stay within it. */
  public SchemaPlaces(JsonNode schema) {
    this.root = schema;
  }

  /** Told of each place of a value. */
  public interface Visitor {
    /**
     * A place, and what the schema says of it.
     *
     * @param schemas every part that speaks about it; empty where none does
     */
    void visit(String pointer, JsonNode value, List<ObjectNode> schemas);

    /** A member that no part of the schema declares; its inside is not visited. */
    void undeclared(String pointer);
  }

  private record Visit(String pointer, JsonNode value, List<ObjectNode> schemas) {}

  /** Visits the value and everything in it, outer before inner. Not recursive. */
  public void walk(JsonNode value, Visitor visitor) {
    Deque<Visit> visits = new ArrayDeque<>();
    visits.push(new Visit("", value, expanded(List.of(root))));
    while (!visits.isEmpty()) {
      Visit visit = visits.pop();
      visitor.visit(visit.pointer, visit.value, visit.schemas);
      if (visit.value instanceof ObjectNode object) {
        members(object, visit, visits, visitor);
      } else if (visit.value.isArray()) {
        for (int i = 0; i < visit.value.size(); i++) {
          visits.push(
              new Visit(
                  PathText.child(visit.pointer, i),
                  visit.value.path(i),
                  expanded(ofItem(visit.schemas, i))));
        }
      }
    }
  }

  private void members(ObjectNode object, Visit visit, Deque<Visit> visits, Visitor visitor) {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String pointer = PathText.child(visit.pointer, member.getKey());
      List<JsonNode> declared = ofMember(visit.schemas, member.getKey());
      if (declared.isEmpty()) {
        visitor.undeclared(pointer);
      } else {
        visits.push(new Visit(pointer, member.getValue(), expanded(declared)));
      }
    }
  }

  private List<JsonNode> ofMember(List<ObjectNode> schemas, String name) {
    List<JsonNode> found = new ArrayList<>();
    for (ObjectNode schema : schemas) {
      int before = found.size();
      JsonNode own = schema.path("properties").path(name);
      if (!own.isMissingNode()) {
        found.add(own);
      }
      for (Map.Entry<String, JsonNode> each : schema.path("patternProperties").properties()) {
        if (patterns.computeIfAbsent(each.getKey(), LinearPattern::of).find(name)) {
          found.add(each.getValue());
        }
      }
      if (found.size() == before) {
        addIfObject(schema.path("additionalProperties"), found);
        addIfObject(schema.path("unevaluatedProperties"), found);
      }
    }
    return found;
  }

  /** A map from any name to values of one form declares its members; {@code true} does not. */
  private static void addIfObject(JsonNode schema, List<JsonNode> found) {
    if (schema.isObject()) {
      found.add(schema);
    }
  }

  private static List<JsonNode> ofItem(List<ObjectNode> schemas, int index) {
    List<JsonNode> found = new ArrayList<>();
    for (ObjectNode schema : schemas) {
      JsonNode prefix = schema.path("prefixItems");
      if (index < prefix.size()) {
        found.add(prefix.path(index));
      } else {
        addIfObject(schema.path("items"), found);
      }
      addIfObject(schema.path("contains"), found);
      addIfObject(schema.path("unevaluatedItems"), found);
    }
    return found;
  }

  /** The schemas with all that they refer to and are put together from. */
  private List<ObjectNode> expanded(List<JsonNode> schemas) {
    Set<ObjectNode> all = Collections.newSetFromMap(new IdentityHashMap<>());
    List<ObjectNode> inOrder = new ArrayList<>();
    Deque<JsonNode> open = new ArrayDeque<>(schemas);
    while (!open.isEmpty()) {
      if (open.pop() instanceof ObjectNode schema && all.add(schema)) {
        inOrder.add(schema);
        LISTS.forEach(name -> schema.path(name).forEach(open::push));
        SINGLES.forEach(name -> open.push(schema.path(name)));
        schema.path("dependentSchemas").forEach(open::push);
        REFERENCES.forEach(name -> open.push(target(schema.path(name))));
      }
    }
    return inOrder;
  }

  private JsonNode target(JsonNode reference) {
    String text = reference.asString("");
    return text.startsWith("#") && (text.length() == 1 || text.charAt(1) == '/')
        ? root.at(JsonPointer.compile(Fragments.decoded(text.substring(1))))
        : MissingNode.getInstance();
  }
}
