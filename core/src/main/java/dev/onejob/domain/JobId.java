package dev.onejob.domain;

import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The id of a job, written as {@code job_} and 26 characters; sorts by time of creation. */
public record JobId(UUID uuid) implements Comparable<JobId> {
  private static final String PREFIX = "job_";

  /** Makes a new id for the given moment. */
  public static JobId next(long epochMillis, RandomGenerator random) {
    return new JobId(Ids.timeOrdered(epochMillis, random));
  }

  /** Reads the text form; empty if it is not exactly an id of this sort. */
  public static Optional<JobId> parse(String text) {
    return Ids.parse(PREFIX, text).map(JobId::new);
  }

  @Override
  public int compareTo(JobId other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return Ids.text(PREFIX, uuid);
  }
}
