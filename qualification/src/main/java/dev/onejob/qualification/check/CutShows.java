package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;

/** Q7: an answer that the token limit has to cut is reported as cut, never as a result. */
final class CutShows implements Check {
  @Override
  public String id() {
    return "Q7";
  }

  @Override
  public String title() {
    return "a forced cut is reported";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (transcript.of(Series.CUT).findAny().isEmpty()) {
      return Tally.notApplicable(this, Bearing.GATE, "this type of provider has no token limit");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript.of(Series.CUT).forEach(entry -> look(entry, tally));
    return tally.strict(transcript.promise());
  }

  private static void look(Entry entry, Tally tally) {
    Observation came = entry.came();
    Observation.Said said = came.said();
    if (came.ending() == Ending.FAILED && said != null && FinishReason.isCut(said.finish())) {
      tally.right(entry.ask());
    } else if (came.ending() == Ending.SUCCEEDED) {
      tally.wrong(
          entry.ask(), "a result came although the token limit holds no answer: " + shown(came));
    } else if (said != null) {
      tally.wrong(
          entry.ask(),
          "the cut is not reported: finish reason " + said.finish() + " on " + shown(came));
    }
  }

  private static String shown(Observation came) {
    String text = came.text();
    return text == null ? "nothing" : Texts.quoted(text);
  }
}
