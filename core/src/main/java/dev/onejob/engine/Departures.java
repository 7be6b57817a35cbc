package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.StartCause;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.WorkerClaims;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Prepares the start of attempts on this node. */
final class Departures {
  /** How much longer than the attempt timeout a lease lasts: time to write the doubt down. */
  static final Duration LEASE_MARGIN = Duration.ofSeconds(10);

  private final String node;

  Departures(String node) {
    this.node = node;
  }

  MoveRequest depart(Work work, Kind kind, String provider, StartCause cause) {
    AttemptId attempt = AttemptId.next(Clocks.epochMillis(), ThreadLocalRandom.current());
    long leaseMillis = kind.attemptTimeout().plus(LEASE_MARGIN).toMillis();
    return new MoveRequest(
        work.id(),
        new JobEvent.Start(attempt, provider, cause),
        new MoveRequest.Departure(node, UUID.randomUUID(), leaseMillis));
  }

  /**
   * An attempt that waits for a worker. Under a lease like every live one: if none comes for so
   * long, a person has to look.
   */
  static MoveRequest offer(JobId job, String provider) {
    AttemptId attempt = AttemptId.next(Clocks.epochMillis(), ThreadLocalRandom.current());
    return new MoveRequest(
        job,
        new JobEvent.Start(attempt, provider, StartCause.BUTTON),
        new MoveRequest.Departure(
            WorkerClaims.NOBODY, UUID.randomUUID(), Limits.ATTEMPT_TIMEOUT_MAX.toMillis()));
  }
}
