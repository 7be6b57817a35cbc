package dev.onejob.domain;

import dev.onejob.domain.JobStanding.Place;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a job goes on when its last live attempt has ended without a result (DESIGN 4.4). */
final class Ending {
  private Ending() {}

  /** What a definite failure says: again, another provider, or the end. */
  static Onward afterFailure(
      JobStanding job, AttemptStanding attempt, JobEvent.Fail e, Instant now, Ways ways) {
    Walk walk = job.walk();
    String provider = attempt.provider();
    return switch (e.retryability()) {
      case RETRYABLE ->
          Onward.along(
              job,
              walk.goingOnAt(provider, job.route()),
              e.failure(),
              now.plus(e.delay()),
              now,
              ways);
      case FINAL -> Onward.along(job, walk.givingUp(provider), e.failure(), now, now, ways);
    };
  }

  /** Nothing has failed: the job goes on where it was before the race. */
  static Onward afterUntaken(JobStanding job, Instant now, Ways ways) {
    Failure nobody = new Failure(Failure.NO_WORKER, Failure.NO_WORKER_SAYS);
    return Onward.along(job, job.walk(), nobody, now, now, ways);
  }

  /** The same provider again, by a decision: whatever it has done before, as far as it may. */
  static Onward again(JobStanding job, String provider, Instant now, Ways ways) {
    Failure open = new Failure(provider, provider + " may be tried again");
    return Onward.along(job, job.walk().backTo(provider, job.route()), open, now, now, ways);
  }

  /** From the first provider of the route on, as if nothing had been tried. */
  static Onward fromTheStart(JobStanding job, Instant now, Ways ways) {
    return Onward.along(job, Walk.START, null, now, now, ways);
  }

  /** A person says how it goes on; it does not come back to this provider by itself. */
  static Onward waitForDecision(JobStanding job, String givenUp) {
    return Onward.at(Place.waitingFor(WaitingFor.DECISION), job.walk().givingUp(givenUp));
  }

  /** With no attempt live and no cancel asked: the limits first, then what the last ending says. */
  static Place withNothingLive(JobStanding job, @Nullable Place ending, Instant now) {
    Place next =
        ending == null
            ? new Place(job.state(), job.waitingFor(), job.runAt(), job.failure())
            : ending;
    if (next.state() == JobState.FAILED) {
      return next;
    }
    if (job.deadlinePassed(now)) {
      return Place.failed(
          new Failure(Failure.DEADLINE_EXCEEDED, "the deadline passed before there was a result"));
    }
    if (job.attemptsStarted() >= job.attemptsAllowed()) {
      return Place.failed(
          new Failure(
              Failure.ATTEMPTS_USED_UP,
              "all " + job.attemptsAllowed() + " attempts were made without a result"));
    }
    return job.contested() ? Place.waitingFor(WaitingFor.DECISION) : next;
  }
}
