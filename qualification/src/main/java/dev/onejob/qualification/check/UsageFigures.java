package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;
import dev.onejob.qualification.Transcript.Entry;

/** Q24: told only: whether the provider says what an answer took. */
final class UsageFigures implements Check {
  @Override
  public String id() {
    return "Q24";
  }

  @Override
  public String title() {
    return "usage is told and plausible";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (transcript.provider().model() == null) {
      return Tally.notApplicable(this, Bearing.REPORT, "this type of provider counts no tokens");
    }
    Tally tally = new Tally(this, Bearing.REPORT);
    transcript
        .of(Series.SAMPLE, Series.COLD)
        .filter(entry -> entry.came().said() != null)
        .forEach(entry -> look(entry, tally));
    return tally.rated(transcript.promise());
  }

  private static void look(Entry entry, Tally tally) {
    long prompt = entry.came().usage("prompt_tokens");
    long completion = entry.came().usage("completion_tokens");
    if (prompt < 0 || completion < 0) {
      tally.wrong(entry.ask(), "no figures of prompt and completion tokens");
    } else if (prompt == 0 || completion == 0) {
      tally.wrong(
          entry.ask(),
          "figures that cannot be: " + prompt + " prompt and " + completion + " completion tokens");
    } else {
      tally.right(entry.ask());
    }
  }
}
