package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Failures;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;
import java.util.List;
import java.util.Objects;

/** Q22: the adapter tells a refusal before any work from a failure, and both from doubt. */
final class FailureMapping implements Check {
  @Override
  public String id() {
    return "Q22";
  }

  @Override
  public String title() {
    return "failures are told apart: refused, failed, in doubt";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    List<Entry> played = transcript.of(Series.FAILURE, Series.WRONG_KEY).toList();
    if (played.isEmpty()) {
      return Tally.notApplicable(
          this, Bearing.GATE, "no failure can be played to this type of provider from here");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    played.forEach(entry -> look(entry, tally));
    return tally.strict(transcript.promise());
  }

  private static void look(Entry entry, Tally tally) {
    String expected = Objects.requireNonNull(entry.ask().expected()).path("ending").asString("");
    Ending came = entry.came().ending();
    if (came.word().equals(expected)) {
      tally.right(entry.ask());
    } else if (came == Ending.NOT_ASKABLE) {
      tally.untold(entry.ask(), Answers.ending(entry.came()));
    } else {
      String what =
          entry.ask().series() == Series.WRONG_KEY
              ? "a key that nobody has"
              : Failures.means(entry.ask().about());
      tally.wrong(entry.ask(), what + " is taken for " + came.word() + " instead of " + expected);
    }
  }
}
