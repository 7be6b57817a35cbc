package dev.onejob.domain;

import dev.onejob.domain.Answer.Moved;
import dev.onejob.domain.Answer.NotAllowed;
import dev.onejob.domain.JobStanding.Place;
import dev.onejob.domain.Lifecycle.Move;
import java.time.Instant;

/** Decisions out of band: the verdicts of DESIGN 4.6, and acknowledging a contested job. */
final class Resolutions {
  private Resolutions() {}

  static Move decide(Life life, AttemptStanding attempt, JobEvent.Resolve e, Instant now) {
    return switch (e.verdict()) {
      case NOT_DONE -> notDone(life, attempt, e.then(), now);
      case STILL_RUNNING -> stillRunning(life, attempt);
      case ABANDON -> abandon(life, attempt, e.then(), now);
      case DONE -> new Move(life, new NotAllowed("the verdict done needs a result"));
    };
  }

  static Move done(Life life, AttemptStanding attempt, Report report, Instant now) {
    if (attempt.state() != AttemptState.UNKNOWN) {
      return notInDoubt(life, attempt);
    }
    return Lifecycle.finish(life, attempt, report, now);
  }

  static Move acknowledge(Life life, Then then, Instant now) {
    JobStanding job = life.job();
    if (!job.contested()) {
      return new Move(life, new NotAllowed("the job is not contested"));
    }
    Life cleared = life.with(job.withContested(false));
    if (job.slotTaken()) {
      return new Move(cleared, new Moved());
    }
    Life after = Lifecycle.bumped(cleared);
    return job.state() == JobState.QUEUED
        ? Lifecycle.moved(Lifecycle.settleState(after, goesOn(job, then, now), now))
        : new Move(after, new Moved());
  }

  private static Place goesOn(JobStanding job, Then then, Instant now) {
    return switch (then) {
      case RETRY -> Place.due(now);
      case WAIT -> Place.waitingFor(WaitingFor.DECISION);
    };
  }

  private static Move notDone(Life life, AttemptStanding attempt, Then then, Instant now) {
    if (attempt.state() != AttemptState.UNKNOWN) {
      return notInDoubt(life, attempt);
    }
    return decided(life, attempt, AttemptState.FAILED, then, now);
  }

  private static Move abandon(Life life, AttemptStanding attempt, Then then, Instant now) {
    if (!attempt.state().live()) {
      return new Move(life, new NotAllowed("the attempt has already " + attempt.state().word()));
    }
    return decided(life, attempt, AttemptState.CANCELLED, then, now);
  }

  private static Move decided(
      Life life, AttemptStanding attempt, AttemptState end, Then then, Instant now) {
    Place next =
        switch (then) {
          case RETRY -> Ending.again(life.job(), attempt.provider(), now);
          case WAIT -> Place.waitingFor(WaitingFor.DECISION);
        };
    AttemptStanding ended = attempt.ended(end, AttemptEnding.DECISION, null);
    return Lifecycle.endedWithoutResult(life, ended, next, now);
  }

  private static Move stillRunning(Life life, AttemptStanding attempt) {
    if (attempt.state() != AttemptState.UNKNOWN) {
      return notInDoubt(life, attempt);
    }
    return new Move(life.job().slotTaken() ? life : Lifecycle.bumped(life), new Moved());
  }

  private static Move notInDoubt(Life life, AttemptStanding attempt) {
    return new Move(
        life, new NotAllowed("the attempt is " + attempt.state().word() + ", not unknown"));
  }
}
