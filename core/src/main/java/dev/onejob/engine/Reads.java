package dev.onejob.engine;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Limits;
import dev.onejob.store.JobQueries;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whole jobs, read for those who ask at the same time together. Whoever asks alone is answered at
 * once, as ever.
 */
final class Reads {
  /** Reads at a time; each holds a connection. */
  private static final int FLIGHTS_MAX = 2;

  /** Jobs of a read: their payloads are in memory all at once. */
  private static final int JOBS_MAX = 16;

  private final GroupCommit<Asked, Optional<Job>> flights;

  Reads(JobQueries queries) {
    this.flights =
        new GroupCommit<>(
            FLIGHTS_MAX,
            asked -> asked, // several may ask for the same job
            asked -> jobs(queries, asked),
            asked -> Limits.BATCH_BYTES_MAX / JOBS_MAX);
  }

  /** One who asks; equal to nobody else. */
  private static final class Asked {
    final JobId job;

    Asked(JobId job) {
      this.job = job;
    }
  }

  private static List<Optional<Job>> jobs(JobQueries queries, List<Asked> asked) {
    Map<JobId, Job> found = queries.jobs(asked.stream().map(one -> one.job).distinct().toList());
    return asked.stream().map(one -> Optional.ofNullable(found.get(one.job))).toList();
  }

  /** Reads a job as it is after this was called; empty if there is none. */
  Optional<Job> job(JobId id) {
    return flights.submit(new Asked(id));
  }
}
