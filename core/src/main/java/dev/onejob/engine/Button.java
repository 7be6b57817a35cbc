package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Life;
import dev.onejob.domain.Lifecycle;
import dev.onejob.domain.Mark;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Ways;
import dev.onejob.store.JobQueries.Work;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The fallback button: a person starts an attempt, as far as the guard allows it. */
final class Button {
  private final Dispatcher dispatcher;
  private final ProviderHealth health;
  private final Runnable onOffer;

  /**
   * Makes one.
   *
   * @param health what is known of the providers, where the guard is asked without a start
   * @param onOffer run when an attempt waits for a worker
   */
  Button(Dispatcher dispatcher, ProviderHealth health, Runnable onOffer) {
    this.dispatcher = dispatcher;
    this.health = health;
    this.onOffer = onOffer;
  }

  /**
   * Presses it.
   *
   * @param wished null: the first provider of the route that the job has not tried, else the first
   * @param asOf as what the job was seen; null: however it is
   */
  ButtonAnswer press(Job job, @Nullable String wished, @Nullable Mark asOf) {
    String provider = wished == null ? Desk.untried(life(job)) : wished;
    Kind kind = dispatcher.kind(job.kind());
    if (kind == null) {
      return new ButtonAnswer.UnknownHere("kind " + job.kind());
    }
    if (!dispatcher.knowsProvider(provider)) {
      return new ButtonAnswer.UnknownHere("provider " + provider);
    }
    if (dispatcher.isPulled(provider)) {
      ButtonAnswer offered =
          answer(
              dispatcher.offerToWorkers(job.id(), kind, provider, StartCause.BUTTON, asOf),
              provider);
      onOffer.run();
      return offered;
    }
    byte[] input = job.input();
    Slots.Slot slot = input == null ? null : dispatcher.tryTake(kind.name(), provider);
    if (input == null || slot == null) { // a job without its input has ended, and the guard says so
      return withoutSlot(job, provider);
    }
    Work work =
        new Work(job.id(), job.owner(), job.key(), job.kind(), job.standing().route(), input);
    return answer(dispatcher.press(work, kind, provider, slot, asOf), provider);
  }

  private static ButtonAnswer answer(Optional<Answer> start, String provider) {
    return switch (start.orElseThrow()) {
      case Answer.Started started -> new ButtonAnswer.Started(started, provider);
      case Answer.StartRefused refusal -> new ButtonAnswer.Refused(refusal);
      case Answer.Changed changed -> new ButtonAnswer.Changed();
      case Answer other -> throw new IllegalStateException("a start was answered by " + other);
    };
  }

  private static Life life(Job job) {
    return new Life(job.standing(), job.attempts().stream().map(Attempt::standing).toList());
  }

  /**
   * The guard has the deeper reason, where it refuses as well. What has been proved is read anew: a
   * person who waits for a pass presses just after it was recorded.
   */
  private ButtonAnswer withoutSlot(Job job, String provider) {
    AttemptId none = AttemptId.next(Clocks.epochMillis(), ThreadLocalRandom.current());
    JobEvent.Start start = new JobEvent.Start(none, provider, StartCause.BUTTON);
    health.lookOnce();
    Ways ways = health.ways(job.kind(), job.standing().route());
    Instant now = Instant.ofEpochMilli(Clocks.epochMillis());
    return Lifecycle.apply(life(job), start, now, ways).answer()
            instanceof Answer.StartRefused refused
        ? new ButtonAnswer.Refused(refused)
        : new ButtonAnswer.NoSlot("kind " + job.kind() + " at provider " + provider);
  }
}
