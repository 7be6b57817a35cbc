package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.StartCause;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.WorkerClaims;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Prepares the start of attempts on this node. */
final class Departures {
  private final String node;
  private final Duration lease;

  Departures(EngineConfig config) {
    this.node = config.node();
    this.lease = config.holding().lease();
  }

  MoveRequest depart(Work work, String provider, StartCause cause) {
    AttemptId attempt = AttemptId.next(Clocks.epochMillis(), ThreadLocalRandom.current());
    return new MoveRequest(
        work.id(),
        new JobEvent.Start(attempt, provider, cause),
        new MoveRequest.Departure(node, UUID.randomUUID(), lease.toMillis()));
  }

  /**
   * An attempt that waits for a worker, for as long as an attempt of the kind may last. Under a
   * lease like every live one: if no worker comes, it ends. What a person had started then waits
   * for a person; of what a race had started the job goes on as if it had never been.
   */
  static MoveRequest offer(JobId job, Kind kind, String provider, StartCause cause) {
    AttemptId attempt = AttemptId.next(Clocks.epochMillis(), ThreadLocalRandom.current());
    return new MoveRequest(
        job,
        new JobEvent.Start(attempt, provider, cause),
        new MoveRequest.Departure(
            WorkerClaims.NOBODY, UUID.randomUUID(), kind.attemptTimeout().toMillis()));
  }
}
