package dev.onejob.domain;

import dev.onejob.domain.Answer.Contest;
import dev.onejob.domain.Answer.Moved;
import dev.onejob.domain.Answer.NotAllowed;
import dev.onejob.domain.Answer.Recorded;
import dev.onejob.domain.Answer.Repeated;
import dev.onejob.domain.JobStanding.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  /**
   * The job after an event, and what came of it.
   *
   * @param objections what spoke against the providers that the job was not given to; after a start
   *     by the button, what spoke against the one that it was given to all the same
   */
  public record Move(Life life, Answer answer, List<Objection> objections) {
    Move(Life life, Answer answer) {
      this(life, answer, List.of());
    }
  }

  /** Decides one event of a job whose kind has no contract, while every provider answers. */
  public static Move apply(Life life, JobEvent event, Instant now) {
    return apply(life, event, now, Ways.WITHOUT_CONTRACT);
  }

  /**
   * Decides one event.
   *
   * @param now by the database clock, taken after the lock on the job
   * @param ways what is known of the providers, looked up after the lock too
   * @throws IllegalArgumentException if the event names an attempt that is not of this job
   */
  public static Move apply(Life life, JobEvent event, Instant now, Ways ways) {
    return switch (event) {
      case JobEvent.Start e -> Starts.decide(life, e, now, ways);
      case JobEvent.Accepted e -> accepted(life, attempt(life, e.attempt()), now);
      case JobEvent.Doubt e -> doubt(life, attempt(life, e.attempt()), now);
      case JobEvent.Finish e -> finish(life, attempt(life, e.attempt()), e.report(), now);
      case JobEvent.Fail e -> fail(life, attempt(life, e.attempt()), e, now, ways);
      case JobEvent.Breached e -> breached(life, attempt(life, e.attempt()), e, now, ways);
      case JobEvent.Stopped e -> stopped(life, attempt(life, e.attempt()), e.report(), now);
      case JobEvent.Untaken e -> untaken(life, attempt(life, e.attempt()), e.report(), now, ways);
      case JobEvent.Silence e -> silence(life, attempt(life, e.attempt()));
      case JobEvent.CancelRequest e -> cancel(life, e.untaken(), now);
      case JobEvent.Resolve e -> Resolutions.decide(life, attempt(life, e.attempt()), e, now, ways);
      case JobEvent.ResolveDone e ->
          Resolutions.done(life, attempt(life, e.attempt()), e.report(), now);
      case JobEvent.Acknowledge e -> Resolutions.acknowledge(life, e.then(), now, ways);
      case JobEvent.Reopen e -> Reopening.decide(life, e, now, ways);
      case JobEvent.Reroute e -> reroute(life, now, ways);
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
      Life life, AttemptStanding attempt, JobEvent.Breached e, Instant now, Ways ways) {
    if (attempt.state().live() && life.job().slotTaken()) {
      return lost(life, attempt, e.report());
    }
    JobEvent.Fail failed =
        new JobEvent.Fail(e.attempt(), e.failure(), Retryability.FINAL, Duration.ZERO, e.report());
    return fail(life, attempt, failed, now, ways);
  }

  private static Move fail(
      Life life, AttemptStanding attempt, JobEvent.Fail e, Instant now, Ways ways) {
    if (!attempt.state().live()) {
      return reportAfterTheEnd(life, attempt, e.report(), now);
    }
    Onward next = Ending.afterFailure(life.job(), attempt, e, now, ways);
    AttemptStanding failed = attempt.ended(AttemptState.FAILED, AttemptEnding.REPORT, e.report());
    return endedWithoutResult(life, failed, next, now);
  }

  private static Move stopped(Life life, AttemptStanding attempt, Report report, Instant now) {
    if (!attempt.state().live()) {
      return reportAfterTheEnd(life, attempt, report, now);
    }
    AttemptStanding ended = attempt.ended(AttemptState.CANCELLED, AttemptEnding.REPORT, report);
    Onward next = Ending.waitForDecision(life.job(), attempt.provider());
    return endedWithoutResult(life, ended, next, now);
  }

  /** It was never sent: it costs the job none of its attempts, and its provider is not given up. */
  private static Move untaken(
      Life life, AttemptStanding attempt, Report report, Instant now, Ways ways) {
    if (!attempt.state().live()) {
      return reportAfterTheEnd(life, attempt, report, now);
    }
    if (attempt.state() != AttemptState.STARTING) {
      return new Move(life, new NotAllowed("the attempt may have been sent"));
    }
    JobStanding job = life.job();
    Onward next = Ending.afterUntaken(job, now, ways);
    Life spared =
        job.slotTaken()
            ? life
            : life.with(job.withLimits(job.attemptsAllowed() + 1, job.deadline()));
    AttemptStanding ended = attempt.ended(AttemptState.CANCELLED, AttemptEnding.REPORT, report);
    return endedWithoutResult(spared, ended, next, now);
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
  static Move endedWithoutResult(Life life, AttemptStanding ended, Onward next, Instant now) {
    Life after = life.with(ended);
    if (life.job().slotTaken()) {
      return new Move(after.recounted(), new Moved());
    }
    return onward(bumped(after), next, now);
  }

  /** The job goes on as it was decided, as far as nothing else of it is live. */
  static Move onward(Life life, Onward next, Instant now) {
    Life walked = life.with(life.job().withWalk(next.walk()));
    Life settled = settleState(walked, next.place(), now);
    return new Move(
        settled, new Moved(), next.isWhere(settled.job()) ? next.objections() : List.of());
  }

  /**
   * Only of a job that waits for its time or for a qualification; what has not changed stays. It
   * ends no job: nothing has failed, and another node may see other ways.
   */
  private static Move reroute(Life life, Instant now, Ways ways) {
    JobStanding job = life.job();
    boolean onItsWay = job.state() == JobState.QUEUED && job.waitingFor() != WaitingFor.DECISION;
    if (!onItsWay || job.contested()) {
      return new Move(life, new NotAllowed("the job does not go on by itself"));
    }
    Instant notBefore = job.runAt() == null ? now : job.runAt();
    Onward next = Onward.along(job, job.walk(), null, notBefore, now, ways).withoutEnd();
    Move move = onward(life, next, now);
    return move.life().equals(life) ? new Move(life, new Repeated()) : move;
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
    boolean isNews = saysItActed(report) && !saysItActed(attempt.report()); // a breach has said so
    return isNews ? contest(life, now) : new Move(life, new Recorded(Contest.NONE));
  }

  private static boolean saysItActed(@Nullable Report report) {
    return report != null && report.outcome() == Report.Outcome.SUCCEEDED;
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
