package dev.onejob.server.ui.configuration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * The settings of a type of provider, as far as its schema says of which form they are. Numbers,
 * switches and words of a list are shown, and texts with a {@code format} of ours. All else is free
 * text, or unknown to the schema, and is hidden whatever it is called.
 */
final class OwnSettings {
  /** Forms of text that hold no secret: they name where one is, or are words of a protocol. */
  private static final Set<String> SHOWN =
      Set.of("name", "variable", "file", "length", "day", "header", "pointer", "word");

  private static final String ADDRESS = "address";
  private static final Set<String> NUMBERS = Set.of("integer", "number", "boolean");

  private final JsonNode root;
  private final List<Setting> settings = new ArrayList<>();

  private OwnSettings(JsonNode root) {
    this.root = root;
  }

  /** All that are set, with the names of those inside of others joined by dots. */
  static List<Setting> of(JsonNode schema, JsonNode own) {
    OwnSettings read = new OwnSettings(schema);
    for (Map.Entry<String, JsonNode> each : own.properties()) {
      read.walk(each.getKey(), read.member(schema, each.getKey()), each.getValue());
    }
    return read.settings;
  }

  private void walk(String name, JsonNode schema, JsonNode value) {
    if (value.isObject() && describesMembers(schema)) {
      for (Map.Entry<String, JsonNode> each : value.properties()) {
        walk(name + "." + each.getKey(), member(schema, each.getKey()), each.getValue());
      }
    } else if (value.isArray() && resolved(schema.path("items")).path("type").isString()) {
      walkItems(name, resolved(schema.path("items")), value);
    } else {
      settings.add(new Setting(name, value(schema, value)));
    }
  }

  private void walkItems(String name, JsonNode schema, JsonNode items) {
    if (describesMembers(schema)) {
      for (int i = 0; i < items.size(); i++) {
        walk(name + "." + (i + 1), schema, items.path(i));
      }
      return;
    }
    List<Value> values =
        StreamSupport.stream(items.spliterator(), false).map(item -> value(schema, item)).toList();
    List<String> texts = new ArrayList<>();
    for (Value each : values) {
      if (each instanceof Value.Plain plain) {
        texts.add(plain.text());
      }
    }
    settings.add(
        new Setting(
            name, texts.size() == values.size() ? Value.names(texts) : Value.hidden(items)));
  }

  private static Value value(JsonNode schema, JsonNode value) {
    if (value.isNull()) {
      return Value.unset();
    }
    boolean listed =
        StreamSupport.stream(schema.path("enum").spliterator(), false).anyMatch(value::equals)
            || value.equals(schema.get("const"));
    if (listed || (isOf(schema, NUMBERS) && (value.isNumber() || value.isBoolean()))) {
      return Value.name(value.asString());
    }
    String format = value.isString() ? schema.path("format").asString("") : "";
    if (format.equals(ADDRESS)) {
      return Value.address(value.stringValue());
    }
    return SHOWN.contains(format) ? Value.name(value.stringValue()) : Value.hidden(value);
  }

  private static boolean isOf(JsonNode schema, Set<String> types) {
    JsonNode type = schema.path("type");
    return type.isArray()
        ? StreamSupport.stream(type.spliterator(), false)
            .anyMatch(each -> types.contains(each.asString("")))
        : types.contains(type.asString(""));
  }

  private static boolean describesMembers(JsonNode schema) {
    return schema.path("properties").isObject() || schema.path("additionalProperties").isObject();
  }

  /** The schema of a member; a missing node if nothing is said about it. */
  private JsonNode member(JsonNode schema, String name) {
    JsonNode own = schema.path("properties").path(name);
    return resolved(own.isMissingNode() ? schema.path("additionalProperties") : own);
  }

  /** References are to the definitions of the same document alone. */
  private JsonNode resolved(JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    return reference.startsWith("#/") ? root.at(reference.substring(1)) : schema;
  }
}
