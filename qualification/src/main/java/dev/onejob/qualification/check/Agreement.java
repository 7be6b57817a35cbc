package dev.onejob.qualification.check;

import dev.onejob.intent.CanonicalJson;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Q20: told only: where the answers differ from those of the route's first provider. */
final class Agreement implements Check {
  @Override
  public String id() {
    return "Q20";
  }

  @Override
  public String title() {
    return "agreement with the route's first provider";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    Map<String, JsonNode> known = new TreeMap<>();
    for (Entry entry : transcript.incumbent()) {
      JsonNode answer = Json.read(Answers.whole(entry));
      if (entry.ask().series() == Series.SAMPLE && !answer.isMissingNode()) {
        known.putIfAbsent(entry.ask().about(), answer);
      }
    }
    if (known.isEmpty()) {
      return Tally.notApplicable(
          this, Bearing.REPORT, "no run of the route's first provider to compare with");
    }
    Tally tally = new Tally(this, Bearing.REPORT);
    transcript
        .of(Series.SAMPLE)
        .filter(entry -> known.containsKey(entry.ask().about()))
        .forEach(
            entry ->
                compare(
                    known.getOrDefault(entry.ask().about(), MissingNode.getInstance()),
                    entry,
                    transcript.promise().keyFields(),
                    tally));
    return tally.rated(transcript.promise());
  }

  private static void compare(JsonNode known, Entry entry, List<String> keys, Tally tally) {
    JsonNode answer = Json.read(Answers.whole(entry));
    if (answer.isMissingNode()) {
      return;
    }
    List<String> different =
        keys.isEmpty()
            ? known.properties().stream()
                .map(Map.Entry::getKey)
                .filter(name -> !isSame(known.path(name), answer.path(name)))
                .toList()
            : keys.stream().filter(at -> !isSame(known.at(at), answer.at(at))).toList();
    if (different.isEmpty()) {
      tally.right(entry.ask());
    } else {
      tally.wrong(entry.ask(), "another answer in " + String.join(", ", different));
    }
  }

  /** By value, as intents are compared: 1 and 1.0 are the same, in whatever order members come. */
  private static boolean isSame(JsonNode one, JsonNode other) {
    return one.isMissingNode() || other.isMissingNode()
        ? one.isMissingNode() && other.isMissingNode()
        : canonical(one).equals(canonical(other));
  }

  private static String canonical(JsonNode value) {
    String text = Json.text(value);
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new String(
          CanonicalJson.write(StrictJson.read(bytes, JsonLimits.RESULT)), StandardCharsets.UTF_8);
    } catch (JsonRefused e) {
      return text; // beyond the limits of a result: compared as it is written
    }
  }
}
