package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Q4: every key was declared, also where the schema is open; at the top level it is a gate. */
final class UndeclaredKeys implements Check {
  @Override
  public String id() {
    return "Q4";
  }

  @Override
  public String title() {
    return "no key that the schema does not declare";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    JsonNode schema = transcript.promise().schema().orElse(null);
    if (schema == null) {
      return Tally.notApplicable(this, Bearing.GATE, "the contract asks for no JSON");
    }
    if (declared(schema, schema).isEmpty()) {
      return Tally.notApplicable(this, Bearing.GATE, "the schema declares no keys by name");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.SAMPLE, Series.COLD).forEach(entry -> look(schema, entry, tally));
    return tally.rated(transcript.promise());
  }

  private static void look(JsonNode schema, Entry entry, Tally tally) {
    String text = Answers.whole(entry);
    JsonNode answer = Json.read(text);
    if (!answer.isObject() || SchemaEcho.echoes(answer, schema)) {
      return;
    }
    List<String> top = new ArrayList<>();
    List<String> nested = new ArrayList<>();
    find(schema, schema, answer, "", top, nested);
    if (!nested.isEmpty()) {
      tally.note(entry.ask(), "keys below the top level that nobody declared: " + nested);
    }
    if (top.isEmpty()) {
      tally.right(entry.ask());
    } else {
      String missing =
          declared(schema, schema).stream().anyMatch(key -> answer.has(key))
              ? ""
              : " and none of the declared ones: it may be wrapped or renamed";
      tally.wrong(entry.ask(), "extra keys at the top level: " + String.join(", ", top) + missing);
    }
  }

  private static void find(
      JsonNode root,
      JsonNode schema,
      JsonNode value,
      String at,
      List<String> top,
      List<String> nested) {
    Set<String> declared = declared(root, schema);
    boolean open = declared.isEmpty() || resolved(root, schema).has("patternProperties");
    for (var member : value.properties()) {
      String place = at + "/" + Texts.step(member.getKey());
      if (!open && !declared.contains(member.getKey())) {
        (at.isEmpty() ? top : nested).add(at.isEmpty() ? member.getKey() : place);
      } else {
        find(root, property(root, schema, member.getKey()), member.getValue(), place, top, nested);
      }
    }
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      JsonNode items = resolved(root, schema).path("items");
      find(root, items, value.get(i), at + "/" + i, top, nested);
    }
  }

  /** The names that a schema declares, also through its parts. */
  private static Set<String> declared(JsonNode root, JsonNode schema) {
    JsonNode here = resolved(root, schema);
    Set<String> names = new LinkedHashSet<>(here.path("properties").propertyNames());
    for (String word : List.of("allOf", "anyOf", "oneOf")) {
      here.path(word).forEach(part -> names.addAll(declared(root, part)));
    }
    return names;
  }

  private static JsonNode property(JsonNode root, JsonNode schema, String name) {
    JsonNode here = resolved(root, schema);
    JsonNode found = here.path("properties").path(name);
    for (String word : List.of("allOf", "anyOf", "oneOf")) {
      for (JsonNode part : here.path(word)) {
        found = found.isMissingNode() ? property(root, part, name) : found;
      }
    }
    return found;
  }

  /** Follows one local reference; whatever else it refers to stays unknown. */
  private static JsonNode resolved(JsonNode root, JsonNode schema) {
    String reference = schema.path("$ref").asString("");
    JsonNode target = reference.startsWith("#/") ? root.at(reference.substring(1)) : schema;
    return target.path("$ref").isMissingNode() || target == schema ? target : target.path("none");
  }
}
