package dev.onejob.contract;

import dev.onejob.document.Nearest;
import dev.onejob.document.Pointers;
import dev.onejob.document.Problems;
import dev.onejob.document.YamlDocument;
import dev.onejob.domain.Breach;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says what is wrong with the schema of a contract: what the specification forbids, and what it
 * would silently let pass and nobody means.
 */
final class SchemaLint {
  private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
  private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)*");

  private static final Set<String> ONE =
      Set.of(
          "additionalProperties",
          "unevaluatedProperties",
          "propertyNames",
          "items",
          "contains",
          "unevaluatedItems",
          "if",
          "then",
          "else",
          "not",
          "contentSchema");
  private static final Set<String> NAMED =
      Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");
  private static final Set<String> LISTED = Set.of("prefixItems", "allOf", "anyOf", "oneOf");
  private static final Set<String> OTHERS =
      Set.of(
          "$schema",
          "$comment",
          "$ref",
          "type",
          "enum",
          "const",
          "multipleOf",
          "maximum",
          "exclusiveMaximum",
          "minimum",
          "exclusiveMinimum",
          "maxLength",
          "minLength",
          "pattern",
          "maxItems",
          "minItems",
          "uniqueItems",
          "maxContains",
          "minContains",
          "maxProperties",
          "minProperties",
          "required",
          "dependentRequired",
          "format",
          "title",
          "description",
          "default",
          "deprecated",
          "readOnly",
          "writeOnly",
          "examples",
          "contentEncoding",
          "contentMediaType");
  private static final Set<String> REFUSED =
      Set.of("$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary");
  private static final List<String> KNOWN =
      Stream.of(ONE, NAMED, LISTED, OTHERS).flatMap(Set::stream).sorted().toList();
  private static final Set<String> FORMATS =
      Set.of(
          "date-time",
          "date",
          "time",
          "duration",
          "email",
          "idn-email",
          "hostname",
          "idn-hostname",
          "ipv4",
          "ipv6",
          "uri",
          "uri-reference",
          "iri",
          "iri-reference",
          "uri-template",
          "uuid",
          "json-pointer",
          "relative-json-pointer",
          "regex");
  private static final Set<String> MAKES_OPEN =
      Set.of("patternProperties", "additionalProperties", "allOf", "anyOf", "oneOf", "$ref", "if");

  private final YamlDocument yaml;
  private final String at;
  private final JsonNode schema;
  private final Problems problems;

  /**
   * Makes one.
   *
   * @param at where the schema stands in its document
   */
  SchemaLint(YamlDocument yaml, String at, Problems problems) {
    this.yaml = yaml;
    this.at = at;
    this.schema = yaml.root().at(at);
    this.problems = problems;
  }

  static boolean isPointer(String text) {
    return POINTER.matcher(text).matches();
  }

  private record Open(String pointer, JsonNode schema) {}

  void check() {
    int before = problems.count();
    for (Breach breach : MetaSchema.breaches(ExactNodes.normalised(schema))) {
      complain(breach.path(), breach.message());
    }
    if (problems.count() > before) {
      return; // what is below would only say it again
    }
    Deque<Open> open = new ArrayDeque<>();
    open.push(new Open("", schema));
    while (!open.isEmpty()) {
      Open next = open.pop();
      if (next.schema instanceof ObjectNode object) {
        check(next.pointer, object);
        inside(next.pointer, object).forEach(open::push);
      }
    }
  }

  private static List<Open> inside(String pointer, ObjectNode object) {
    List<Open> found = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      String place = Pointers.child(pointer, each.getKey());
      if (ONE.contains(each.getKey())) {
        found.add(new Open(place, each.getValue()));
      } else if (NAMED.contains(each.getKey())) {
        each.getValue()
            .properties()
            .forEach(
                one -> found.add(new Open(Pointers.child(place, one.getKey()), one.getValue())));
      } else if (LISTED.contains(each.getKey())) {
        for (int i = 0; i < each.getValue().size(); i++) {
          found.add(new Open(Pointers.child(place, i), each.getValue().path(i)));
        }
      }
    }
    return found;
  }

  private void check(String pointer, ObjectNode object) {
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      String place = Pointers.child(pointer, each.getKey());
      switch (each.getKey()) {
        case "$schema" -> dialect(place, each.getValue().asString(""));
        case "$ref" -> reference(place, each.getValue().asString(""));
        case "pattern" -> pattern(place, each.getValue().asString(""));
        case "patternProperties" ->
            each.getValue()
                .propertyNames()
                .forEach(name -> pattern(Pointers.child(place, name), name));
        case "format" -> format(place, each.getValue().asString(""));
        default -> keyword(place, each.getKey());
      }
    }
    required(pointer, object);
  }

  private void dialect(String place, String uri) {
    if (!uri.equals(DIALECT) && !uri.equals(DIALECT + "#")) {
      complain(place, "only JSON Schema 2020-12 is read: " + DIALECT);
    }
  }

  private void reference(String place, String reference) {
    if (!reference.startsWith("#")) {
      complain(place, "refers to another document; nothing is fetched: put it under $defs");
      return;
    }
    String pointer = Fragments.decoded(reference.substring(1));
    if (!isPointer(pointer)) {
      complain(place, "expected a reference by JSON pointer, such as #/$defs/line");
    } else if (schema.at(JsonPointer.compile(pointer)).isMissingNode()) {
      complain(place, "there is nothing at " + reference + " in this schema");
    }
  }

  private void pattern(String place, String pattern) {
    try {
      LinearPattern.of(pattern);
    } catch (IllegalArgumentException e) {
      complain(place, "the pattern " + e.getMessage());
    }
  }

  private void format(String place, String format) {
    if (!FORMATS.contains(format)) {
      complain(
          place,
          "the format \""
              + format
              + "\" is not checked by anybody"
              + Nearest.didYouMean(format, FORMATS));
    }
  }

  private void keyword(String place, String name) {
    if (REFUSED.contains(name)) {
      complain(place, "is not supported in a contract; refer by JSON pointers into $defs");
    } else if (!KNOWN.contains(name) && !name.startsWith("x-")) {
      complain(
          place,
          "is no keyword of JSON Schema 2020-12 and would check nothing"
              + Nearest.didYouMean(name, KNOWN));
    }
  }

  /** Not forbidden, and never meant: no answer could keep it. */
  private void required(String pointer, ObjectNode object) {
    JsonNode properties = object.path("properties");
    boolean open = MAKES_OPEN.stream().anyMatch(object::has);
    if (properties.isMissingNode() || open) {
      return;
    }
    JsonNode required = object.path("required");
    for (int i = 0; i < required.size(); i++) {
      String name = required.path(i).asString("");
      if (!properties.has(name)) {
        complain(
            Pointers.child(Pointers.child(pointer, "required"), i),
            "requires \""
                + name
                + "\", which properties does not declare"
                + Nearest.didYouMean(name, List.copyOf(properties.propertyNames())));
      }
    }
  }

  private void complain(String pointer, String message) {
    problems.add(yaml.problem(at + pointer, message));
  }
}
