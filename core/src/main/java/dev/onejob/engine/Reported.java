package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Kind;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.provider.Outcome;
import dev.onejob.store.Events;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.WorkerLeases;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a report that an attempt's provider or worker has made by itself, beyond the
 * move: the same as from an answer to a call.
 *
 * @param health hears what was said
 * @param onWin told of each attempt that claimed a slot
 */
record Reported(ProviderHealth health, Consumer<Speaker> onWin) {
  /**
   * A report that was new: the attempt has ended by it. One that says again what was known, perhaps
   * much later, says nothing of how its provider is now, and is not for here.
   *
   * @param kind null: this node does not know it, and knows nothing of what its providers promise
   */
  void news(
      @Nullable Kind kind,
      WorkerLeases.Known known,
      MoveRequest request,
      Outcome outcome,
      Answer answer) {
    if (kind == null) {
      return;
    }
    Speaker speaker =
        new Speaker(
            known.job(),
            Events.attempt(request.event()).orElseThrow(),
            kind,
            known.provider(),
            known.number(),
            /* jobVersion= */ 0,
            /* evident= */ false);
    health.heard(speaker, outcome);
    String model = model(outcome);
    if (model != null) {
      health.answeredBy(kind, known.provider(), model);
    }
    if (answer instanceof Answer.Moved && request.event() instanceof JobEvent.Finish) {
      onWin.accept(speaker);
    }
    if (answer instanceof Answer.Moved && request.event() instanceof JobEvent.Breached) {
      health.broke(kind, known.provider());
    }
  }

  private static @Nullable String model(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded succeeded -> succeeded.usage().model();
      case Outcome.Failed failed -> failed.usage().model();
      case Outcome.Refused refused -> null;
      case Outcome.InDoubt doubt -> null;
      case Outcome.Stopped stopped -> null;
    };
  }
}
