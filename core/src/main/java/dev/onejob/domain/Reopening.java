package dev.onejob.domain;

import dev.onejob.domain.Answer.NotAllowed;
import dev.onejob.domain.Lifecycle.Move;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The only way out of {@code failed}: the same job, key and id, and the numbers go on. */
final class Reopening {
  private Reopening() {}

  static Move decide(Life life, JobEvent.Reopen e, Instant now, Ways ways) {
    String why = refusal(life.job(), e, now);
    if (why != null) {
      return new Move(life, new NotAllowed(why));
    }
    JobStanding job = life.job();
    JobStanding reopened =
        job.withLimits(job.attemptsStarted() + e.attempts(), deadline(job, e, now));
    Life after = Lifecycle.bumped(life.with(reopened));
    return Lifecycle.onward(after, Ending.fromTheStart(reopened, now, ways), now);
  }

  private static @Nullable String refusal(JobStanding job, JobEvent.Reopen e, Instant now) {
    if (job.state() != JobState.FAILED) {
      return "only a failed job is reopened, and this one is " + job.state().word();
    }
    if (job.contested()) {
      return "the job is contested, and nobody has acknowledged it";
    }
    if (job.live() > 0) {
      return "an attempt of the job is live";
    }
    if (e.attempts() < 1) {
      return "a reopened job needs at least one more attempt";
    }
    return e.deadline() != null && !now.isBefore(e.deadline())
        ? "the new deadline has already passed"
        : null;
  }

  private static @Nullable Instant deadline(JobStanding job, JobEvent.Reopen e, Instant now) {
    if (e.deadline() != null) {
      return e.deadline();
    }
    return job.deadlinePassed(now) ? null : job.deadline();
  }
}
