package dev.onejob.engine;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Life;
import dev.onejob.domain.Lifecycle;
import dev.onejob.store.Admissions;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.NewJob;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job as its admission has left it, without reading it back. */
final class Newborn {
  private Newborn() {}

  /**
   * The whole job.
   *
   * @param start with which its first attempt was started with it; null: it is queued
   */
  static Job of(NewJob job, Admissions.Birth birth, @Nullable MoveRequest start) {
    JobStanding admitted =
        JobStanding.admitted(job.route(), birth.runAt(), birth.deadline(), job.rules());
    Life queued = new Life(admitted, List.of());
    Life life =
        start == null ? queued : Lifecycle.apply(queued, start.event(), birth.createdAt()).life();
    return new Job(
        job.id(),
        job.owner(),
        job.key(),
        job.kind(),
        job.effect(),
        job.input(),
        life.job(),
        job.priority(),
        job.tags(),
        birth.createdAt(),
        null,
        null,
        null,
        0,
        life.attempts().stream()
            .map(attempt -> attempt(job, attempt, birth, Objects.requireNonNull(start)))
            .toList(),
        List.of(),
        List.of());
  }

  private static Attempt attempt(
      NewJob job, AttemptStanding standing, Admissions.Birth birth, MoveRequest start) {
    var departure = (MoveRequest.Departure) Objects.requireNonNull(start.details());
    return new Attempt(
        standing,
        job.id(),
        job.owner(),
        ((JobEvent.Start) start.event()).cause(),
        null,
        ProviderKeys.derive(job.owner(), job.key(), standing.provider(), standing.number()),
        null,
        departure.node(),
        null,
        birth.createdAt().plusMillis(departure.leaseMillis()),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        List.of(),
        List.of(),
        null);
  }
}
