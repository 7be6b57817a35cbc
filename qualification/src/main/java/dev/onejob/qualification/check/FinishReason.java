package dev.onejob.qualification.check;

import dev.onejob.provider.Finish;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Observation;
import dev.onejob.qualification.Observation.Ending;
import dev.onejob.qualification.Transcript;
import org.jspecify.annotations.Nullable;

/** Q6: the model stopped because it was done. */
final class FinishReason implements Check {
  @Override
  public String id() {
    return "Q6";
  }

  @Override
  public String title() {
    return "the answer was finished, not cut or withheld";
  }

  @Override
  public Judgement judge(Transcript transcript) {
    if (transcript.provider().model() == null) {
      return Tally.notApplicable(
          this, Bearing.GATE, "this type of provider tells no finish reason");
    }
    Tally tally = new Tally(this, Bearing.GATE);
    transcript
        .of(Series.SAMPLE, Series.COLD)
        .forEach(
            entry -> {
              Observation.Said said = entry.came().said();
              if (said != null && said.refusal() == null) {
                String fault = fault(said.finish(), entry.came());
                if (fault == null) {
                  tally.right(entry.ask());
                } else {
                  tally.wrong(entry.ask(), fault);
                }
              }
            });
    return tally.rated(transcript.promise());
  }

  static boolean isCut(@Nullable String finish) {
    return finish != null && Finish.of(finish) == Finish.TRUNCATED;
  }

  private static @Nullable String fault(@Nullable String finish, Observation came) {
    if (finish == null) {
      return "the provider does not say why the answer ended";
    }
    if (isCut(finish)) {
      String kept = came.ending() == Ending.SUCCEEDED ? ", and the adapter took it as whole" : "";
      return "the answer was cut at the token limit (finish reason " + finish + ")" + kept;
    }
    return Finish.of(finish) == Finish.NORMAL
        ? null
        : "the answer ended with finish reason " + finish;
  }
}
