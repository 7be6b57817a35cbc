package dev.onejob.qualification.check;

import dev.onejob.intent.JsonRefused;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Json;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import java.util.Optional;

/** Q2: no object has a member twice; parsers differ in which of the two they take. */
final class DuplicateMembers implements Check {
  @Override
  public String id() {
    return "Q2";
  }

  @Override
  public String title() {
    return "no member comes twice";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (transcript.promise().schema().isEmpty()) {
      return Tally.notApplicable(this, Bearing.GATE, "the contract asks for no JSON");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript
        .of(Series.SAMPLE, Series.COLD)
        .forEach(
            entry -> {
              String text = entry.came().text();
              Optional<JsonRefused> flaw = text == null ? Optional.empty() : Json.flaw(text);
              if (flaw.isEmpty()) {
                tally.right(entry.ask());
              } else if (flaw.get().reason() == JsonRefused.Reason.DUPLICATE_MEMBER) {
                tally.wrong(entry.ask(), "a member comes twice: " + flaw.get().getMessage());
              }
            });
    return tally.rated(transcript.promise());
  }
}
