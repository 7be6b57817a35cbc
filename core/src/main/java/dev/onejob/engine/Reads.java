package dev.onejob.engine;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Limits;
import dev.onejob.store.JobQueries;
import dev.onejob.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whole jobs, read for those who ask at the same time together. Whoever asks alone is answered at
 * once, as ever. A job that cannot be read harms nobody else: the others are read again without it.
 */
final class Reads {
  /** Reads at a time; each holds a connection. */
  private static final int FLIGHTS_MAX = 2;

  /** Jobs of a read: their payloads are in memory all at once. */
  private static final int JOBS_MAX = 16;

  private final JobQueries queries;
  private final GroupCommit<Asked, Answered> flights;

  Reads(JobQueries queries) {
    this.queries = queries;
    this.flights =
        new GroupCommit<>(
            FLIGHTS_MAX,
            asked -> asked, // several may ask for the same job
            this::together,
            asked -> Limits.BATCH_BYTES_MAX / JOBS_MAX);
  }

  /** One who asks; equal to nobody else. */
  private static final class Asked {
    final JobId job;

    Asked(JobId job) {
      this.job = job;
    }
  }

  private sealed interface Answered {
    record Read(Optional<Job> job) implements Answered {}

    record Failed(RuntimeException why) implements Answered {}
  }

  /** Reads a job as it is after this was called; empty if there is none. */
  Optional<Job> job(JobId id) {
    return switch (flights.submit(new Asked(id))) {
      case Answered.Read read -> read.job();
      case Answered.Failed failed -> throw failed.why();
    };
  }

  private List<Answered> together(List<Asked> asked) {
    List<JobId> ids = asked.stream().map(one -> one.job).distinct().toList();
    try {
      Map<JobId, Job> found = queries.jobs(ids);
      return asked.stream()
          .<Answered>map(one -> new Answered.Read(Optional.ofNullable(found.get(one.job))))
          .toList();
    } catch (StoreException.NotConnected e) {
      throw e;
    } catch (RuntimeException e) {
      return ids.size() == 1 ? failed(asked, e) : oneByOne(asked);
    }
  }

  private static List<Answered> failed(List<Asked> asked, RuntimeException e) {
    return asked.stream().<Answered>map(one -> new Answered.Failed(e)).toList();
  }

  /** Without a connection there is none for the rest either. */
  private List<Answered> oneByOne(List<Asked> asked) {
    List<Answered> answers = new ArrayList<>(asked.size());
    for (Asked one : asked) {
      try {
        answers.add(new Answered.Read(queries.job(one.job)));
      } catch (StoreException.NotConnected e) {
        answers.addAll(failed(asked.subList(answers.size(), asked.size()), e));
        return answers;
      } catch (RuntimeException e) {
        answers.add(new Answered.Failed(e));
      }
    }
    return answers;
  }
}
