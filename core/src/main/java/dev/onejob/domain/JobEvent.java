package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can happen to a job. Each is decided by {@link Lifecycle#apply}. */
public sealed interface JobEvent {
  /** Somebody asks for a fresh attempt. */
  record Start(AttemptId attempt, String provider, StartCause cause) implements JobEvent {}

  /** The provider acknowledged the attempt, or it was handed over whole and its line is alive. */
  record Accepted(AttemptId attempt) implements JobEvent {}

  /** Nothing definite can be known about the attempt for now. */
  record Doubt(AttemptId attempt) implements JobEvent {}

  /** The attempt brought a result. */
  record Finish(AttemptId attempt, Report report) implements JobEvent {}

  /**
   * The attempt definitely failed or was refused.
   *
   * @param delay until a next try, at the earliest: backoff, and the provider's own wish
   */
  record Fail(
      AttemptId attempt, Failure failure, Retryability retryability, Duration delay, Report report)
      implements JobEvent {}

  /**
   * The attempt brought a result that breaks the contract of the kind: it acted, and there is
   * nothing to show for it.
   *
   * @param failure {@link Failure#CONTRACT_BREACH}
   * @param report of the result that it brought
   */
  record Breached(AttemptId attempt, Failure failure, Report report) implements JobEvent {}

  /** Proof that the attempt was stopped before it could bring a result. */
  record Stopped(AttemptId attempt, Report report) implements JobEvent {}

  /**
   * No worker took the attempt that a race had offered, in time: nothing was sent, and nobody has
   * decided anything.
   */
  record Untaken(AttemptId attempt, Report report) implements JobEvent {}

  /** Nothing was heard of an attempt for so long after another's result that it counts as lost. */
  record Silence(AttemptId attempt) implements JobEvent {}

  /**
   * Owner or operator no longer want the job.
   *
   * @param untaken attempts that were offered to workers, and that none of them has: nothing was
   *     sent, so they end with the wish
   */
  record CancelRequest(Set<AttemptId> untaken) implements JobEvent {
    public CancelRequest {
      untaken = Set.copyOf(untaken);
    }

    /** Where nothing is known of attempts that nobody has. */
    public CancelRequest() {
      this(Set.of());
    }
  }

  /** A resolution without a result: {@code not_done}, {@code still_running} or {@code abandon}. */
  record Resolve(AttemptId attempt, Verdict verdict, Then then) implements JobEvent {}

  /** The resolution {@code done}, with the result that was found. */
  record ResolveDone(AttemptId attempt, Report report) implements JobEvent {}

  /** An operator has seen that the job is contested. */
  record Acknowledge(Then then) implements JobEvent {}

  /**
   * Owner or operator want a failed job to go on.
   *
   * @param attempts how many more may be made, at least 1
   * @param deadline a new one, still to come; null: the old one stays if it is still to come, else
   *     there is none
   */
  record Reopen(int attempts, @Nullable Instant deadline) implements JobEvent {}

  /**
   * What is known of the providers of the route may have changed: a queued job looks again where it
   * goes on.
   */
  record Reroute() implements JobEvent {}

  /** The clock passed the deadline. */
  record DeadlineReached() implements JobEvent {}
}
