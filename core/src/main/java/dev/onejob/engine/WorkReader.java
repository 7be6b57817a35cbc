package dev.onejob.engine;

import dev.onejob.domain.JobId;
import dev.onejob.store.JobQueries;
import dev.onejob.store.JobQueries.Work;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what attempts need to know of jobs that were found due. What cannot be read stays due. */
final class WorkReader {
  private static final Logger LOG = LoggerFactory.getLogger(WorkReader.class);

  /** Inputs that are read for many jobs at once: 4 MiB for a look that takes as many as it may. */
  private static final int SMALL_BYTES_MAX = 16 << 10;

  private final JobQueries queries;

  WorkReader(JobQueries queries) {
    this.queries = queries;
  }

  /** What is small of these, in one query; whatever is missing is to be read by itself. */
  Map<JobId, Work> small(List<JobId> jobs) {
    try {
      return queries.smallWorks(jobs, SMALL_BYTES_MAX);
    } catch (RuntimeException | Error e) { // they all have slots, which nobody else would free
      LOG.warn("{} jobs are read one by one: {}", jobs.size(), e.toString());
      return Map.of();
    }
  }

  /** One; null if it could not be read. */
  @Nullable Work one(JobId job) {
    try {
      Work work = queries.work(job).orElse(null);
      if (work == null) {
        LOG.warn("{} was due and is no longer there", job);
      }
      return work;
    } catch (RuntimeException e) {
      LOG.warn("{} could not be read, it stays due: {}", job, e.toString());
      return null;
    }
  }
}
