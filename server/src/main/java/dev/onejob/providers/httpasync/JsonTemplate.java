package dev.onejob.providers.httpasync;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.InvalidSetting;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON value whose strings have places for parts of a job's input: {@code {{/json/pointer}}}, or
 * {@code {{}}} for all of it. A string that is nothing but one place becomes the value itself; in a
 * longer one a string is put in as it is, any other value as JSON. A backslash before two braces
 * makes them plain text. What is put in is never looked at again; names are never templates.
 */
final class JsonTemplate {
  private static final Pattern WHOLE = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*\\}\\}");
  private static final Pattern PLACE =
      Pattern.compile("\\\\\\{\\{|\\{\\{\\s*([^{}]*?)\\s*\\}\\}|\\{\\{");

  private final JsonNode frame;

  private JsonTemplate(JsonNode frame) {
    this.frame = frame;
  }

  /**
   * Reads a template.
   *
   * @param setting where it stands in the settings
   */
  static JsonTemplate of(JsonNode frame, String setting) {
    check(frame, setting);
    return new JsonTemplate(frame);
  }

  private static void check(JsonNode node, String setting) {
    if (node.isString()) {
      check(node.stringValue(), setting);
    }
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      check(member.getValue(), setting + "/" + member.getKey());
    }
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        check(node.get(i), setting + "/" + i);
      }
    }
  }

  private static void check(String text, String setting) {
    Matcher place = PLACE.matcher(text);
    while (place.find()) {
      if (place.group().equals("{{")) {
        throw new InvalidSetting(setting, "two opening braces are not closed");
      }
      if (place.group(1) != null) {
        pointer(place.group(1), setting);
      }
    }
  }

  private static JsonPointer pointer(String text, String setting) {
    try {
      return JsonPointer.compile(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting(
          setting, "{{" + text + "}} is no JSON pointer; write \\{{ for plain braces");
    }
  }

  /** Fills it from an input. */
  JsonNode fill(JsonNode input) throws MissingPart {
    return filled(frame, input);
  }

  private static JsonNode filled(JsonNode node, JsonNode input) throws MissingPart {
    if (node.isString()) {
      return filled(node.stringValue(), input);
    }
    if (node.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        object.set(member.getKey(), filled(member.getValue(), input));
      }
      return object;
    }
    if (node.isArray()) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      for (JsonNode element : node) {
        array.add(filled(element, input));
      }
      return array;
    }
    return node;
  }

  private static JsonNode filled(String text, JsonNode input) throws MissingPart {
    Matcher whole = WHOLE.matcher(text);
    if (whole.matches()) {
      return found(input, whole.group(1));
    }
    StringBuilder filled = new StringBuilder();
    Matcher place = PLACE.matcher(text);
    int done = 0;
    while (place.find()) {
      filled.append(text, done, place.start());
      filled.append(place.group(1) == null ? "{{" : written(found(input, place.group(1))));
      done = place.end();
    }
    filled.append(text, done, text.length());
    return JsonNodeFactory.instance.stringNode(filled.toString());
  }

  private static String written(JsonNode value) {
    return value.isString() ? value.stringValue() : BoundedJson.text(value);
  }

  private static JsonNode found(JsonNode input, String pointer) throws MissingPart {
    JsonNode value = input.at(JsonPointer.compile(pointer));
    if (value.isMissingNode()) {
      throw MissingPart.at(pointer);
    }
    return value;
  }

  /** The input lacks what a template needs. */
  static final class MissingPart extends Exception {
    private static final long serialVersionUID = 1L;

    private MissingPart(String says) {
      super(says);
    }

    static MissingPart at(String pointer) {
      return new MissingPart(
          "the input has nothing at " + pointer + ", which the provider's template needs");
    }

    static MissingPart because(String says) {
      return new MissingPart(says);
    }

    /** Why the request cannot be made. */
    String says() {
      return String.valueOf(getMessage());
    }
  }
}
