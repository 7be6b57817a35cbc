package dev.onejob.providers.sandbox;

import dev.onejob.providers.sandbox.Step.Play;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/** What is to be done at a moment after a request's arrival. */
record Cue(long atMillis, Act act) {
  /** In the order in which things of one moment happen. */
  enum Act {
    ACCEPT,
    EFFECT,
    ANSWER,
    CUT
  }

  /** Who still listens then hears a cut instead of silence: a doubt like any other. */
  private static final long HANG_MILLIS_MAX = Duration.ofHours(1).toMillis();

  private static final Comparator<Cue> ORDER =
      Comparator.comparingLong(Cue::atMillis).thenComparing(Cue::act);

  /** Everything that a step asks for, in order. */
  static List<Cue> of(Step step) {
    List<Cue> cues = new ArrayList<>();
    step.acceptAfterMillis().ifPresent(at -> cues.add(new Cue(at, Act.ACCEPT)));
    effect(step).ifPresent(at -> cues.add(new Cue(at, Act.EFFECT)));
    cues.add(end(step));
    cues.sort(ORDER);
    return cues;
  }

  private static OptionalLong effect(Step step) {
    boolean unsaid = step.effectAfterMillis().isEmpty();
    return unsaid && step.actsByItself()
        ? OptionalLong.of(step.answerAfterMillis())
        : step.effectAfterMillis();
  }

  private static Cue end(Step step) {
    return switch (step.play()) {
      case Play.Succeed succeed -> new Cue(step.answerAfterMillis(), Act.ANSWER);
      case Play.Refuse refuse -> new Cue(step.answerAfterMillis(), Act.ANSWER);
      case Play.Status status -> new Cue(step.answerAfterMillis(), Act.ANSWER);
      case Play.DropBefore drop -> new Cue(step.answerAfterMillis(), Act.CUT);
      case Play.DropAfter drop -> new Cue(step.answerAfterMillis(), Act.CUT);
      case Play.Hang hang -> new Cue(HANG_MILLIS_MAX, Act.CUT);
    };
  }
}
