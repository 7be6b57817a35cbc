package dev.onejob.domain;

import dev.onejob.domain.Answer.Contest;
import dev.onejob.domain.Answer.Moved;
import dev.onejob.domain.Answer.NotAllowed;
import dev.onejob.domain.Answer.Recorded;
import dev.onejob.domain.Answer.Repeated;
import dev.onejob.domain.JobStanding.Place;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state machine, pure: a job with its attempts, an event and the time give the job as it is
 * afterwards and an answer. The statements of the store say the same in SQL; tests hold the two
 * against each other.
 */
public final class Lifecycle {
  private Lifecycle() {}

  /** The job after an event, and what came of it. */
  public record Move(Life life, Answer answer) {}

  /**
   * Decides one event.
   *
   * @param now by the database clock, taken after the lock on the job
   * @throws IllegalArgumentException if the event names an attempt that is not of this job
   */
  public static Move apply(Life life, JobEvent event, Instant now) {
    return switch (event) {
      case JobEvent.Start e -> Starts.decide(life, e, now);
      case JobEvent.Accepted e -> accepted(life, attempt(life, e.attempt()), now);
      case JobEvent.Doubt e -> doubt(life, attempt(life, e.attempt()), now);
      case JobEvent.Finish e -> finish(life, attempt(life, e.attempt()), e.report(), now);
      case JobEvent.Fail e -> fail(life, attempt(life, e.attempt()), e, now);
      case JobEvent.Breached e -> breached(life, attempt(life, e.attempt()), e, now);
      case JobEvent.Stopped e -> stopped(life, attempt(life, e.attempt()), e.report(), now);
      case JobEvent.Silence e -> silence(life, attempt(life, e.attempt()));
      case JobEvent.CancelRequest e -> cancel(life, e.untaken(), now);
      case JobEvent.Resolve e -> Resolutions.decide(life, attempt(life, e.attempt()), e, now);
      case JobEvent.ResolveDone e ->
          Resolutions.done(life, attempt(life, e.attempt()), e.report(), now);
      case JobEvent.Acknowledge e -> Resolutions.acknowledge(life, e.then(), now);
      case JobEvent.Reopen e -> Reopening.decide(life, e, now);
      case JobEvent.DeadlineReached e -> deadline(life, now);
    };
  }

  private static AttemptStanding attempt(Life life, AttemptId id) {
    return life.attempt(id)
        .orElseThrow(() -> new IllegalArgumentException(id + " is no attempt of this job"));
  }

  private static Move accepted(Life life, AttemptStanding attempt, Instant now) {
    return switch (attempt.state()) {
      case STARTING, UNKNOWN ->
          moved(settleState(life.with(attempt.in(AttemptState.RUNNING)), null, now));
      case RUNNING -> new Move(life, new Repeated());
      case SUCCEEDED, LOST -> new Move(life, new Recorded(Contest.NONE));
      case FAILED, CANCELLED ->
          attempt.ending() == AttemptEnding.DECISION
              ? contest(life, now)
              : new Move(life, new Recorded(Contest.NONE));
    };
  }

  private static Move doubt(Life life, AttemptStanding attempt, Instant now) {
    return switch (attempt.state()) {
      case STARTING, RUNNING ->
          moved(settleState(life.with(attempt.in(AttemptState.UNKNOWN)), null, now));
      case UNKNOWN -> new Move(life, new Repeated());
      case SUCCEEDED, FAILED, CANCELLED, LOST -> new Move(life, new Recorded(Contest.NONE));
    };
  }

  /** The swap: the first valid finish claims the slot, any later one is lost. */
  static Move finish(Life life, AttemptStanding attempt, Report report, Instant now) {
    if (!attempt.state().live()) {
      return reportAfterTheEnd(life, attempt, report, now);
    }
    if (life.job().slotTaken()) {
      return lost(life, attempt, report);
    }
    JobStanding claimed =
        life.job().withCompletedBy(attempt.id()).withVersion(life.job().version() + 1);
    Life won = life.with(attempt.ended(AttemptState.SUCCEEDED, AttemptEnding.REPORT, report));
    return moved(settleState(won.with(claimed), null, now));
  }

  private static Move lost(Life life, AttemptStanding attempt, Report report) {
    AttemptId winner = Objects.requireNonNull(life.job().completedBy());
    Life lost = life.with(attempt.ended(AttemptState.LOST, AttemptEnding.REPORT, report));
    return new Move(lost.recounted(), new Answer.Lost(winner));
  }

  /** The slot first: a loser is lost whatever it brought. Then a definite failure. */
  private static Move breached(
      Life life, AttemptStanding attempt, JobEvent.Breached e, Instant now) {
    if (!attempt.state().live()) {
      return reportAfterTheEnd(life, attempt, e.report(), now);
    }
    if (life.job().slotTaken()) {
      return lost(life, attempt, e.report());
    }
    Place next = Ending.afterFailure(life.job(), attempt, e.failure(), Retryability.FINAL, now);
    AttemptStanding failed = attempt.ended(AttemptState.FAILED, AttemptEnding.REPORT, e.report());
    return endedWithoutResult(life, failed, next, now);
  }

  private static Move fail(Life life, AttemptStanding attempt, JobEvent.Fail e, Instant now) {
    if (!attempt.state().live()) {
      return reportAfterTheEnd(life, attempt, e.report(), now);
    }
    Place next =
        Ending.afterFailure(
            life.job(), attempt, e.failure(), e.retryability(), now.plus(e.delay()));
    AttemptStanding failed = attempt.ended(AttemptState.FAILED, AttemptEnding.REPORT, e.report());
    return endedWithoutResult(life, failed, next, now);
  }

  private static Move stopped(Life life, AttemptStanding attempt, Report report, Instant now) {
    if (!attempt.state().live()) {
      return reportAfterTheEnd(life, attempt, report, now);
    }
    AttemptStanding ended = attempt.ended(AttemptState.CANCELLED, AttemptEnding.REPORT, report);
    return endedWithoutResult(life, ended, Place.waitingFor(WaitingFor.DECISION), now);
  }

  private static Move silence(Life life, AttemptStanding attempt) {
    if (!attempt.state().live()) {
      return new Move(life, new Repeated());
    }
    AttemptId winner = life.job().completedBy();
    if (winner == null) {
      return new Move(life, new NotAllowed("silence means nothing while the slot is empty"));
    }
    Life lost = life.with(attempt.ended(AttemptState.LOST, AttemptEnding.SILENCE, null));
    return new Move(lost.recounted(), new Answer.Lost(winner));
  }

  /** Every ending without a result bumps the version and carries the other live attempts along. */
  static Move endedWithoutResult(Life life, AttemptStanding ended, Place next, Instant now) {
    Life after = life.with(ended);
    if (life.job().slotTaken()) {
      return new Move(after.recounted(), new Moved());
    }
    return moved(settleState(bumped(after), next, now));
  }

  /** A new version, and every live attempt carried along to it. */
  static Life bumped(Life life) {
    long version = life.job().version() + 1;
    return life.with(life.job().withVersion(version)).withLiveAttempts(a -> a.carriedTo(version));
  }

  private static Move reportAfterTheEnd(
      Life life, AttemptStanding attempt, Report report, Instant now) {
    if (report.equals(attempt.report())) {
      AttemptId winner = life.job().completedBy();
      return attempt.state() == AttemptState.LOST && winner != null
          ? new Move(life, new Answer.Lost(winner))
          : new Move(life, new Repeated());
    }
    boolean saysItActed = report.outcome() == Report.Outcome.SUCCEEDED;
    return saysItActed ? contest(life, now) : new Move(life, new Recorded(Contest.NONE));
  }

  private static Move contest(Life life, Instant now) {
    if (life.job().slotTaken()) {
      return new Move(life, new Recorded(Contest.NONE));
    }
    JobStanding contested = life.job().withContested(true);
    Life after =
        contested.state() == JobState.QUEUED
            ? settleState(life.with(contested), Place.waitingFor(WaitingFor.DECISION), now)
            : life.with(contested);
    return new Move(after, new Recorded(Contest.CONTESTED));
  }

  private static Move cancel(Life life, Set<AttemptId> untaken, Instant now) {
    JobStanding job = life.job();
    return switch (job.state()) {
      case SUCCEEDED, FAILED -> new Move(life, new NotAllowed("already " + job.state().word()));
      case CANCELLED -> new Move(life, new Repeated());
      case QUEUED, RUNNING, UNKNOWN ->
          job.cancelRequestedAt() == null
              ? cancelled(life.with(job.withCancelRequestedAt(now)), untaken, now)
              : cancelledAgain(life, untaken, now);
    };
  }

  private static Move cancelled(Life life, Set<AttemptId> untaken, Instant now) {
    Life after =
        life.withLiveAttempts(
            attempt ->
                isUntaken(attempt, untaken)
                    ? attempt.ended(AttemptState.CANCELLED, AttemptEnding.DECISION, null)
                    : attempt);
    return moved(settleState(bumped(after), null, now));
  }

  private static Move cancelledAgain(Life life, Set<AttemptId> untaken, Instant now) {
    return life.attempts().stream().anyMatch(attempt -> isUntaken(attempt, untaken))
        ? cancelled(life, untaken, now)
        : new Move(life, new Repeated());
  }

  private static boolean isUntaken(AttemptStanding attempt, Set<AttemptId> untaken) {
    return attempt.state() == AttemptState.STARTING && untaken.contains(attempt.id());
  }

  private static Move deadline(Life life, Instant now) {
    boolean over = life.job().state() == JobState.QUEUED && life.job().deadlinePassed(now);
    return over
        ? moved(settleState(bumped(life), null, now))
        : new Move(life, new NotAllowed("the deadline ends only a queued job, once it has passed"));
  }

  static Move moved(Life life) {
    return new Move(life, new Moved());
  }

  /**
   * The one rule that gives the state, from the job's own columns after every move.
   *
   * @param ending what the last ending says; null keeps a queued job where it is
   */
  static Life settleState(Life life, @Nullable Place ending, Instant now) {
    Life counted = life.recounted();
    return counted.with(counted.job().at(place(counted.job(), ending, now)));
  }

  private static Place place(JobStanding job, @Nullable Place ending, Instant now) {
    if (job.slotTaken()) {
      return Place.SUCCEEDED;
    }
    if (job.inDoubt() > 0) {
      return Place.UNKNOWN;
    }
    if (job.live() > 0) {
      return Place.RUNNING;
    }
    if (job.cancelRequestedAt() != null) {
      return Place.CANCELLED;
    }
    return Ending.withNothingLive(job, ending, now);
  }
}
