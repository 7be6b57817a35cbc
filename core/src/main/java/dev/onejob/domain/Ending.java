package dev.onejob.domain;

import dev.onejob.domain.JobStanding.Place;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a job goes on when its last live attempt has ended without a result (DESIGN 4.4). */
final class Ending {
  private Ending() {}

  /** What a definite failure says: again, another provider, or the end. */
  static Place afterFailure(
      JobStanding job,
      AttemptStanding attempt,
      Failure failure,
      Retryability retryability,
      Instant notBefore) {
    return switch (retryability) {
      case RETRYABLE -> again(job, attempt.provider(), notBefore);
      case FINAL -> isLastOfRoute(job, attempt) ? Place.failed(failure) : unqualified(job, failure);
    };
  }

  /**
   * The same provider again: by itself only at the first of the route. A job that races has been at
   * two, and goes on at the first.
   */
  static Place again(JobStanding job, String provider, Instant notBefore) {
    return provider.equals(job.route().getFirst()) || job.raceAfter() != null
        ? Place.due(notBefore)
        : unqualified(job, new Failure(provider, provider + " may be tried again"));
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

  private static boolean isLastOfRoute(JobStanding job, AttemptStanding attempt) {
    return job.route().getLast().equals(attempt.provider());
  }

  private static Place unqualified(JobStanding job, Failure failure) {
    return switch (job.whenUnqualified()) {
      case WAIT -> Place.waitingFor(WaitingFor.QUALIFICATION);
      case FAIL ->
          Place.failed(
              new Failure(
                  Failure.NO_QUALIFIED_PROVIDER,
                  failure.message() + "; no other provider of the route is qualified"));
    };
  }
}
