package dev.onejob.document;

import com.networknt.schema.Error;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * Says in plain words what a schema expected.
 *
 * @param schema the whole schema; the {@code description} beside a pattern tells what it means
 * @param part what was checked
 */
record Wording(JsonNode schema, JsonNode part) {
  /** Keywords whose error is about a member's name. */
  static final Set<String> ABOUT_A_MEMBER =
      Set.of("additionalProperties", "unevaluatedProperties", "propertyNames");

  private static final int QUOTE_CHARS_MAX = 60;
  private static final Pattern SECRET =
      Pattern.compile("(?i)(password|secret|token|key|url)[^/]*$");

  String of(Error error) {
    JsonNode rule = around(error);
    JsonNode value = value(error.getInstanceLocation().toString());
    return switch (error.getKeyword()) {
      case "additionalProperties", "unevaluatedProperties" -> unknown(error.getProperty(), rule);
      case "propertyNames" -> "expected " + meaning(schema.at("/$defs/name"), "another name");
      case "required" -> "needs \"" + error.getProperty() + "\"";
      case "dependentRequired" -> "needs more: " + error.getMessage();
      case "type" -> "expected " + typed(rule) + ", got " + shown(value);
      case "enum" -> choice(rule.path("enum"), value);
      case "const" -> "expected " + rule.path("const") + ", got " + shown(value);
      case "pattern" -> "expected " + meaning(rule, pattern(rule)) + ", got " + shown(value);
      case "minimum" -> "expected at least " + rule.path("minimum") + ", got " + shown(value);
      case "maximum" -> "expected at most " + rule.path("maximum") + ", got " + shown(value);
      case "minLength" -> "expected " + meaning(rule, "some text") + ", got " + shown(value);
      case "minItems" -> "expected at least " + rule.path("minItems") + " in the list";
      case "maxItems" -> "expected at most " + rule.path("maxItems") + " in the list";
      case "uniqueItems" -> "has the same item twice";
      case "minProperties" -> "expected at least one entry";
      case "oneOf", "anyOf" -> alternatives(rule.path(error.getKeyword()), error);
      case "not" -> excluded(rule.path("not"));
      case "false" -> "may not be set here";
      default -> error.getMessage();
    };
  }

  /** What is there; hidden where a secret may have been put in by mistake. */
  private JsonNode value(String pointer) {
    return SECRET.matcher(pointer).find() ? StringNode.valueOf("(not shown)") : part.at(pointer);
  }

  /** The schema that the failed keyword stands in. */
  private JsonNode around(Error error) {
    return schema.at(Pointers.parent(error.getSchemaLocation().getFragment().toString()));
  }

  private static String unknown(String name, JsonNode rule) {
    List<String> known = new ArrayList<>(rule.path("properties").propertyNames());
    String near = Nearest.didYouMean(name, known);
    String listed = known.isEmpty() ? "" : "; expected one of " + String.join(", ", known);
    return "unknown setting" + (near.isEmpty() ? listed : near);
  }

  private static String choice(JsonNode allowed, JsonNode value) {
    List<String> words = allowed.valueStream().map(JsonNode::asString).toList();
    String near = value.isString() ? Nearest.didYouMean(value.stringValue(), words) : "";
    return "expected " + orList(words) + ", got " + shown(value) + near;
  }

  private static String orList(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  /** Alternatives that only differ in what they require can be told by those names. */
  private static String alternatives(JsonNode options, Error error) {
    List<String> names =
        options
            .valueStream()
            .map(option -> option.path("required").path(0).asString(""))
            .filter(name -> !name.isEmpty())
            .toList();
    return names.size() == options.size()
        ? "needs "
            + (error.getKeyword().equals("oneOf") ? "exactly" : "at least")
            + " one of "
            + String.join(", ", names)
        : error.getMessage();
  }

  private static String excluded(JsonNode not) {
    return not.path("required").isEmpty()
        ? "has a form that is not allowed here"
        : not.path("required")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.joining(" and "))
            + " exclude each other";
  }

  private static String meaning(JsonNode rule, String otherwise) {
    return rule.path("description").asString(otherwise);
  }

  private static String pattern(JsonNode rule) {
    return "text of the form " + rule.path("pattern").asString("");
  }

  private static String typed(JsonNode rule) {
    JsonNode type = rule.path("type");
    return rule.has("pattern") || rule.has("minLength")
        ? meaning(rule, "text")
        : type.isArray()
            ? orList(type.valueStream().map(each -> noun(each.asString())).toList())
            : noun(type.asString(""));
  }

  private static String noun(String type) {
    return switch (type) {
      case "object" -> "a mapping";
      case "array" -> "a list";
      case "string" -> "text";
      case "integer" -> "a whole number";
      case "number" -> "a number";
      case "boolean" -> "true or false";
      default -> type;
    };
  }

  private static String shown(JsonNode value) {
    if (value.isNull()) {
      return "nothing";
    }
    if (value.isContainer()) {
      return value.isArray() ? "a list" : "a mapping";
    }
    String text = value.toString();
    return text.length() <= QUOTE_CHARS_MAX ? text : text.substring(0, QUOTE_CHARS_MAX) + "…";
  }
}
