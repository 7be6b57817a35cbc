package dev.onejob.domain;

import dev.onejob.domain.Answer.Moved;
import dev.onejob.domain.Answer.NotAllowed;
import dev.onejob.domain.JobStanding.Place;
import dev.onejob.domain.Lifecycle.Move;
import java.time.Instant;

/** Decisions out of band: the verdicts of DESIGN 4.6, and acknowledging a contested job. */
final class Resolutions {
  private Resolutions() {}

  static Move decide(
      Life life, AttemptStanding attempt, JobEvent.Resolve e, Instant now, Ways ways) {
    return switch (e.verdict()) {
      case NOT_DONE -> notDone(life, attempt, e.then(), now, ways);
      case STILL_RUNNING -> stillRunning(life, attempt);
      case ABANDON -> abandon(life, attempt, e.then(), now, ways);
      case DONE -> new Move(life, new NotAllowed("the verdict done needs a result"));
    };
  }

  static Move done(Life life, AttemptStanding attempt, Report report, Instant now) {
    if (attempt.state() != AttemptState.UNKNOWN) {
      return notInDoubt(life, attempt);
    }
    return Lifecycle.finish(life, attempt, report, now);
  }

  static Move acknowledge(Life life, Then then, Instant now, Ways ways) {
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
        ? Lifecycle.onward(after, goesOn(job, then, now, ways), now)
        : new Move(after, new Moved());
  }

  private static Onward goesOn(JobStanding job, Then then, Instant now, Ways ways) {
    return switch (then) {
      case RETRY -> Ending.fromTheStart(job, now, ways);
      case WAIT -> Onward.at(Place.waitingFor(WaitingFor.DECISION), job.walk());
    };
  }

  /** It did not act, so that nothing speaks against another try there. */
  private static Move notDone(
      Life life, AttemptStanding attempt, Then then, Instant now, Ways ways) {
    if (attempt.state() != AttemptState.UNKNOWN) {
      return notInDoubt(life, attempt);
    }
    JobStanding job = life.job();
    Onward next =
        switch (then) {
          case RETRY -> Ending.again(job, attempt.provider(), now, ways);
          case WAIT -> Onward.at(Place.waitingFor(WaitingFor.DECISION), job.walk());
        };
    return decided(life, attempt, AttemptState.FAILED, next, now);
  }

  private static Move abandon(
      Life life, AttemptStanding attempt, Then then, Instant now, Ways ways) {
    if (!attempt.state().live()) {
      return new Move(life, new NotAllowed("the attempt has already " + attempt.state().word()));
    }
    JobStanding job = life.job();
    Onward next =
        switch (then) {
          case RETRY -> Ending.again(job, attempt.provider(), now, ways);
          case WAIT -> Ending.waitForDecision(job, attempt.provider());
        };
    return decided(life, attempt, AttemptState.CANCELLED, next, now);
  }

  private static Move decided(
      Life life, AttemptStanding attempt, AttemptState end, Onward next, Instant now) {
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
