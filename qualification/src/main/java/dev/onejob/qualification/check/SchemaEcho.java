package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Q5: the answer is neither the schema nor a form with nothing filled in. */
final class SchemaEcho implements Check {
  private static final Set<String> TYPE_NAMES =
      Set.of("string", "number", "integer", "boolean", "...", "\u2026");
  private static final Pattern SLOT = Pattern.compile("<[a-z_ ]{1,40}>|\\{\\{?[a-z_ ]{1,40}}}?");

  @Override
  public String id() {
    return "Q5";
  }

  @Override
  public String title() {
    return "no echo of the schema, no placeholders";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    JsonNode schema = transcript.promise().schema().orElse(null);
    if (schema == null) {
      return Tally.notApplicable(this, Bearing.GATE, "the contract asks for no JSON");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript
        .of(Series.SAMPLE, Series.COLD)
        .forEach(
            entry -> {
              JsonNode answer = Json.read(Answers.whole(entry));
              if (!answer.isMissingNode()) {
                fault(answer, schema)
                    .ifPresentOrElse(
                        says -> tally.wrong(entry.ask(), says), () -> tally.right(entry.ask()));
              }
            });
    return tally.rated(transcript.promise());
  }

  /** Whether a value is the schema, or a piece of one. */
  static boolean echoes(JsonNode answer, JsonNode schema) {
    boolean looksLikeOne =
        answer.has("$schema") || (answer.path("properties").isObject() && answer.has("type"));
    boolean mayLookLikeOne = schema.path("properties").has("properties");
    return answer.equals(schema) || (looksLikeOne && !mayLookLikeOne);
  }

  private static Optional<String> fault(JsonNode answer, JsonNode schema) {
    if (echoes(answer, schema)) {
      return Optional.of("the answer echoes the schema instead of filling it");
    }
    List<String> slots = new ArrayList<>();
    Texts.walk(
        answer,
        (at, value) -> {
          String text = value.isString() ? value.stringValue() : "";
          if (TYPE_NAMES.contains(text) || SLOT.matcher(text).matches()) {
            slots.add(at + " is " + Texts.quoted(text));
          }
        });
    List<String> strings = Texts.strings(answer);
    if (!strings.isEmpty() && strings.stream().allMatch(String::isEmpty)) {
      slots.add("every text is empty");
    }
    return slots.isEmpty()
        ? Optional.empty()
        : Optional.of("placeholders instead of values: " + String.join(", ", slots));
  }
}
