package dev.onejob.contract;

import dev.onejob.domain.Breach;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds answers that say back what was asked for instead of answering: the schema itself, an
 * example of it, or the words of the schema in place of values.
 */
public final class Echo {
  /** The answer is the schema, or an example from it. */
  public static final String SCHEMA = "schema-echo";

  /** A value says what should be there. */
  public static final String PLACEHOLDER = "placeholder";

  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "object", "array", "null");
  private static final Set<String> FILLERS =
      Set.of("...", "…", "todo", "tbd", "placeholder", "lorem ipsum", "your answer here");

  private Echo() {}

  /**
   * What echoes.
   *
   * @param schema with its numbers in their one form, as the answer's
   */
  public static List<Breach> of(JsonNode schema, SchemaPlaces places, JsonNode answer) {
    if (isSchema(schema, answer)) {
      return List.of(new Breach(SCHEMA, "", "", "the answer is the schema itself"));
    }
    for (JsonNode example : schema.path("examples")) {
      if (answer.isContainer() && !answer.isEmpty() && example.equals(answer)) {
        return List.of(new Breach(SCHEMA, "", "/examples", "the answer is the schema's example"));
      }
    }
    return placeholders(places, answer);
  }

  private static boolean isSchema(JsonNode schema, JsonNode answer) {
    if (!answer.isObject() || answer.isEmpty()) {
      return false;
    }
    JsonNode properties = schema.path("properties");
    return answer.equals(schema)
        || (properties.isObject() && !properties.isEmpty() && answer.equals(properties))
        || (!properties.has("properties")
            && properties.isObject()
            && answer.path("properties").equals(properties));
  }

  private static List<Breach> placeholders(SchemaPlaces places, JsonNode answer) {
    List<Breach> found = new ArrayList<>();
    places.walk(
        answer,
        new SchemaPlaces.Visitor() {
          @Override
          public void visit(String pointer, JsonNode value, List<ObjectNode> schemas) {
            if (value.isString() && isPlaceholder(value.stringValue().strip(), schemas)) {
              found.add(
                  new Breach(PLACEHOLDER, PathText.cut(pointer), "", "a placeholder, no value"));
            }
          }

          @Override
          public void undeclared(String pointer) {}
        });
    return found;
  }

  private static boolean isPlaceholder(String text, List<ObjectNode> schemas) {
    if (schemas.stream().anyMatch(Echo::namesItsValues)) {
      return false;
    }
    return TYPES.contains(text)
        || FILLERS.contains(text.toLowerCase(java.util.Locale.ROOT))
        || (text.length() > 2 && text.startsWith("<") && text.endsWith(">") && isWords(text))
        || schemas.stream().anyMatch(schema -> saysBack(text, schema));
  }

  /** A schema that lists its values, or has a form of its own for them, knows what it wants. */
  private static boolean namesItsValues(ObjectNode schema) {
    return schema.has("enum") || schema.has("const") || schema.has("pattern");
  }

  private static boolean isWords(String text) {
    return text.substring(1, text.length() - 1)
        .chars()
        .allMatch(c -> Character.isLetterOrDigit(c) || c == ' ' || c == '_' || c == '-');
  }

  private static boolean saysBack(String text, ObjectNode schema) {
    return text.length() > 3 && text.equals(schema.path("description").asString("").strip());
  }
}
