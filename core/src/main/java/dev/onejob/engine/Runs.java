package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Kind;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The attempts of this node, from their start until nobody listens to them any more. */
final class Runs {
  private final Map<String, EngineConfig.ProviderSlot> providers;
  private final AttemptRun.Held held;
  private final Callbacks callbacks;
  private final Timers timers;
  private final Map<AttemptId, AttemptRun> running = new ConcurrentHashMap<>();

  Runs(EngineConfig config, AttemptRun.Held held, Callbacks callbacks, Timers timers) {
    this.providers = config.providers();
    this.held = held;
    this.callbacks = callbacks;
    this.timers = timers;
  }

  /** An attempt on its way out, with the slot that it has taken. */
  record Leaving(Work work, Kind kind, String provider, MoveRequest request, Slots.Slot slot) {}

  /**
   * Lists one that has been started; it is to be run.
   *
   * @param since a moment of the monotonic clock, not after its lease was given
   */
  AttemptRun prepare(Leaving leaving, Answer.Started started, long since) {
    Work work = leaving.work();
    Kind kind = leaving.kind();
    Provider provider = Objects.requireNonNull(providers.get(leaving.provider())).provider();
    ProviderRequest request =
        new ProviderRequest(
            work.id(),
            started.attempt(),
            started.number(),
            work.owner(),
            work.kind(),
            ProviderKeys.derive(work.owner(), work.key(), leaving.provider(), started.number()),
            work.input(),
            kind.attemptTimeout(),
            kind.lateAnswerLimit(),
            callbacks.address(started.attempt()));
    Speaker speaker =
        new Speaker(
            work.id(),
            started.attempt(),
            kind,
            leaving.provider(),
            started.number(),
            started.jobVersion(),
            /* evident= */ false);
    AttemptRun run =
        new AttemptRun(
            speaker,
            new AttemptRun.Call(provider, request),
            (MoveRequest.Departure) Objects.requireNonNull(leaving.request().details()),
            since,
            leaving.slot(),
            held);
    running.put(started.attempt(), run);
    return run;
  }

  /** Runs it in the calling thread, until nobody listens to it any more. */
  void run(AttemptRun run) {
    try {
      run.run(timers);
    } finally {
      running.remove(run.speaker().attempt());
    }
  }

  /** The attempts that this node listens to. */
  List<AttemptId> listeningTo() {
    return List.copyOf(running.keySet());
  }

  /** The attempts of this node that have neither ended nor are in doubt. */
  List<AttemptRun> underLease() {
    return running.values().stream().filter(AttemptRun::isUnderLease).toList();
  }

  /** The result of this attempt is no longer wanted. */
  void askToStop(AttemptId attempt) {
    AttemptRun run = running.get(attempt);
    if (run != null) {
      run.askToStop();
    }
  }

  /** A race is won: the other attempts of the job on this node are told to stop. */
  void stopRivals(Speaker winner) {
    running.values().stream()
        .filter(run -> run.speaker().job().equals(winner.job()))
        .filter(run -> !run.speaker().attempt().equals(winner.attempt()))
        .forEach(AttemptRun::askToStop);
  }
}
