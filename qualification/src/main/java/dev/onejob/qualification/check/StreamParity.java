package dev.onejob.qualification.check;

import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Transcript;

/** Q25: the same contract with and without streaming; no adapter streams so far. */
final class StreamParity implements Check {
  @Override
  public String id() {
    return "Q25";
  }

  @Override
  public String title() {
    return "the same with and without streaming";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    return Tally.notApplicable(
        this,
        Bearing.REPORT,
        "not asked: no adapter streams yet, so that "
            + transcript.provider().type()
            + " asks production's questions in one mode only");
  }
}
