package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Then;
import dev.onejob.store.MoveRequest;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What people order about jobs. Orders {@link #asOf} a mark hold only while the job is as it was
 * seen: that is compared behind the job's lock, and what does not hold is answered with {@link
 * Answer.Changed} or {@link ButtonAnswer.Changed} and changes nothing. Safe for many threads.
 */
public final class Orders {
  private final Stores stores;
  private final EngineConfig config;
  private final Button button;
  private final UnaryOperator<Answer> moved;
  private final @Nullable Mark asOf;

  /**
   * Orders about jobs however they are.
   *
   * @param moved run after each move
   */
  Orders(Stores stores, EngineConfig config, Button button, UnaryOperator<Answer> moved) {
    this(stores, config, button, moved, null);
  }

  private Orders(
      Stores stores,
      EngineConfig config,
      Button button,
      UnaryOperator<Answer> moved,
      @Nullable Mark asOf) {
    this.stores = stores;
    this.config = config;
    this.button = button;
    this.moved = moved;
    this.asOf = asOf;
  }

  /** Orders that hold only while the job is as it was seen. */
  public Orders asOf(Mark seen) {
    return new Orders(stores, config, button, moved, seen);
  }

  private Optional<Job> job(Access access, JobId id) {
    return stores.queries().job(id).filter(job -> access.covers(job.owner()));
  }

  private Optional<Answer> move(MoveRequest request) {
    return stores.moves().move(request.asOf(asOf)).map(moved);
  }

  /** As {@link JobEngine#startAttempt}. */
  public Optional<ButtonAnswer> startAttempt(Access access, JobId id, @Nullable String provider) {
    return job(access, id).map(job -> button.press(job, provider, asOf));
  }

  /** As {@link JobEngine#cancel}. */
  public Optional<Answer> cancel(Access access, JobId id) {
    return job(access, id).flatMap(job -> move(MoveRequest.of(id, new JobEvent.CancelRequest())));
  }

  /** As {@link JobEngine#resolve}. */
  public Optional<Answer> resolve(AttemptId id, Decision decision) {
    return stores
        .queries()
        .jobOf(id)
        .map(
            job ->
                Decisions.request(
                    job,
                    id,
                    decision,
                    stores.queries(),
                    kind -> config.judging(kind, stores.queries().contracted(job))))
        .flatMap(this::move);
  }

  /** As {@link JobEngine#acknowledge}. */
  public Optional<Answer> acknowledge(JobId id, Then then, String reason, String decidedBy) {
    return move(Decisions.acknowledgement(id, then, reason, decidedBy));
  }

  /** As {@link JobEngine#reopen}. */
  public Optional<Answer> reopen(Access access, JobId id, Reopen reopen) {
    MoveRequest request = Decisions.reopening(id, reopen);
    return job(access, id).flatMap(job -> move(request));
  }
}
