package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Candidate.Ability;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Q14: the model reads the largest sample whole, from its first word to its last. */
final class WholeContext implements Check {
  private static final List<String> PLACES =
      List.of("the start", "the first quarter", "the middle", "the third quarter", "the end");

  @Override
  public String id() {
    return "Q14";
  }

  @Override
  public String title() {
    return "the largest input is read whole";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (!transcript.provider().can(Ability.TWISTED)) {
      return Tally.notApplicable(this, Bearing.GATE, "this type of provider cannot be asked so");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.CONTEXT).forEach(entry -> look(entry, tally));
    return tally.rated(transcript.promise());
  }

  private static void look(Entry entry, Tally tally) {
    String text = entry.came().text();
    if (text == null) {
      tally.wrong(
          entry.ask(), "the largest sample gets no answer; " + Answers.ending(entry.came()));
      return;
    }
    Set<String> found = new HashSet<>(Texts.strings(Json.read(text)));
    JsonNode hidden = Objects.requireNonNull(entry.ask().expected()).path("canaries");
    List<String> lost = new ArrayList<>();
    for (int i = 0; i < hidden.size(); i++) {
      if (!found.contains(hidden.get(i).stringValue())) {
        lost.add(PLACES.get(i));
      }
    }
    if (lost.isEmpty()) {
      tally.right(entry.ask());
    } else {
      tally.wrong(
          entry.ask(),
          "part of the input was not read: words are missing from " + String.join(", ", lost));
    }
  }
}
