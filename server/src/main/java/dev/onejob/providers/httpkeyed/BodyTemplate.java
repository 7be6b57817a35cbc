package dev.onejob.providers.httpkeyed;

import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.model.Template;
import dev.onejob.providers.model.Template.MissingPart;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The body of a request, with places for parts of a job's input. One input always gives the same
 * bytes: a provider compares what comes under one key.
 */
sealed interface BodyTemplate {
  /** What the header of the body says. */
  String contentType();

  /**
   * Fills it.
   *
   * @param key the provider key, where a member of the body carries it; else null
   * @throws MissingPart if the input has nothing at a place
   */
  byte[] fill(JsonNode input, @Nullable String key) throws MissingPart;

  /**
   * A JSON object, whose strings are templates at any depth; the names of its members are not.
   *
   * @param keyMember its member for the key; null: the key is not in the body
   */
  record Json(ObjectNode frame, @Nullable String keyMember) implements BodyTemplate {
    /** Checks every template in it. */
    static Json of(ObjectNode frame, @Nullable String keyMember) {
      check(frame, "/json");
      return new Json(frame, keyMember);
    }

    private static void check(JsonNode part, String at) {
      if (part.isString()) {
        Template.of(part.stringValue(), at);
      }
      part.properties().forEach(each -> check(each.getValue(), at + "/" + each.getKey()));
      if (part.isArray()) {
        part.forEach(each -> check(each, at));
      }
    }

    @Override
    public String contentType() {
      return "application/json";
    }

    @Override
    public byte[] fill(JsonNode input, @Nullable String key) throws MissingPart {
      ObjectNode filled = object(frame, input);
      if (keyMember != null) {
        filled.put(keyMember, key);
      }
      return BoundedJson.bytes(filled);
    }

    private static ObjectNode object(ObjectNode frame, JsonNode input) throws MissingPart {
      ObjectNode filled = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> each : frame.properties()) {
        filled.set(each.getKey(), part(each.getValue(), input));
      }
      return filled;
    }

    private static JsonNode part(JsonNode part, JsonNode input) throws MissingPart {
      if (part instanceof ObjectNode object) {
        return object(object, input);
      }
      if (part instanceof ArrayNode array) {
        ArrayNode filled = JsonNodeFactory.instance.arrayNode();
        for (JsonNode each : array) {
          filled.add(part(each, input));
        }
        return filled;
      }
      return part.isString() ? text(part.stringValue(), input) : part;
    }

    /** A string that is one place and nothing else becomes the value itself: a number stays one. */
    private static JsonNode text(String text, JsonNode input) throws MissingPart {
      Template template = Template.of(text, "/json");
      Optional<JsonPointer> only = template.only();
      return only.isPresent()
          ? Template.value(input, only.get())
          : JsonNodeFactory.instance.stringNode(template.fill(input));
    }
  }

  /**
   * A form, as of a web page.
   *
   * @param fields templates by the names of the fields, in order
   * @param keyMember the field for the key; null: the key is not in the body
   */
  record Form(Map<String, Template> fields, @Nullable String keyMember) implements BodyTemplate {
    static Form of(Map<String, String> fields, @Nullable String keyMember) {
      Map<String, Template> templates = new LinkedHashMap<>();
      fields.forEach((name, text) -> templates.put(name, Template.of(text, "/form/" + name)));
      return new Form(templates, keyMember);
    }

    @Override
    public String contentType() {
      return "application/x-www-form-urlencoded";
    }

    @Override
    public byte[] fill(JsonNode input, @Nullable String key) throws MissingPart {
      StringBuilder form = new StringBuilder();
      for (Map.Entry<String, Template> each : fields.entrySet()) {
        append(form, each.getKey(), each.getValue().fill(input));
      }
      if (keyMember != null && key != null) {
        append(form, keyMember, key);
      }
      return form.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void append(StringBuilder form, String name, String value) {
      form.append(form.isEmpty() ? "" : "&")
          .append(URLEncoder.encode(name, StandardCharsets.UTF_8))
          .append('=')
          .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
  }
}
