package dev.onejob.providers.sandbox;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.providers.sandbox.Step.Again;
import dev.onejob.providers.sandbox.Step.Play;

/**
 * A request that a sandbox remembers.
 *
 * @param turn which of the job's requests at the provider it is, from 1
 * @param ageMillis since its arrival, by the clock of the ledger
 * @param acted whether its effect has taken place
 * @param asked how often somebody asked about it, the present question included
 */
record Remembered(
    long id,
    JobId job,
    AttemptId attempt,
    String provider,
    int turn,
    byte[] input,
    long ageMillis,
    boolean acted,
    int asked) {

  /** What the script has to say to this question, or else the truth. */
  Word told() {
    try {
      Word scripted = Script.lookups(input, provider, turn).line(asked, ageMillis).word();
      return scripted == null ? truth() : scripted;
    } catch (InvalidScript e) {
      return new Word.Failed(new Play.Refuse("script-invalid", e.says(), Again.NEVER));
    }
  }

  /** What became of it. */
  Word truth() {
    try {
      return truth(Script.step(input, provider, turn));
    } catch (InvalidScript e) {
      return new Word.Failed(new Play.Refuse("script-invalid", e.says(), Again.NEVER));
    }
  }

  private Word truth(Step step) {
    if (acted) {
      return new Word.Succeeded(step.value());
    }
    boolean mayStillAct = step.actsByItself() || step.effectAfterMillis().isPresent();
    if (mayStillAct || ageMillis < step.answerAfterMillis()) {
      return new Word.AtWork();
    }
    return switch (step.play()) {
      case Play.Refuse refuse -> new Word.Failed(refuse);
      case Play.Status bare ->
          new Word.Failed(
              new Play.Refuse(
                  "status-" + bare.status(), "answered " + bare.status(), bare.again()));
      case Play.DropBefore drop -> new Word.NotFound();
      case Play.Hang hang -> new Word.AtWork();
      case Play.Succeed succeed -> new Word.AtWork();
      case Play.DropAfter drop -> new Word.AtWork();
    };
  }
}
