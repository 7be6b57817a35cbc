package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
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

  private static void compare(JsonNode known, Entry entry, List<String> keyFields, Tally tally) {
    JsonNode answer = Json.read(Answers.whole(entry));
    if (answer.isMissingNode()) {
      return;
    }
    List<String> different =
        keyFields.isEmpty() ? members(known, answer) : fields(keyFields, known, answer);
    if (different.isEmpty()) {
      tally.right(entry.ask());
    } else {
      tally.wrong(entry.ask(), "another answer in " + String.join(", ", different));
    }
  }

  private static List<String> members(JsonNode known, JsonNode answer) {
    return known.properties().stream()
        .filter(member -> !same(member.getValue(), answer.path(member.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<String> fields(List<String> pointers, JsonNode known, JsonNode answer) {
    return pointers.stream()
        .filter(pointer -> !same(known.at(pointer), answer.at(pointer)))
        .toList();
  }

  /** Numbers by their value: 12.50 is 12.5. */
  private static boolean same(JsonNode one, JsonNode other) {
    return one.equals(
        (a, b) ->
            a.isNumber() && b.isNumber()
                ? a.decimalValue().compareTo(b.decimalValue())
                : a.equals(b) ? 0 : 1,
        other);
  }
}
