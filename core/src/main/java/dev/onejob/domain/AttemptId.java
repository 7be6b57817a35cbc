package dev.onejob.domain;

import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The id of an attempt, written as {@code att_} and 26 characters; sorts by time of creation. */
public record AttemptId(UUID uuid) implements Comparable<AttemptId> {
  private static final String PREFIX = "att_";

  /** Makes a new id for the given moment. */
  public static AttemptId next(long epochMillis, RandomGenerator random) {
    return new AttemptId(Ids.timeOrdered(epochMillis, random));
  }

  /** Reads the text form; empty if it is not exactly an id of this sort. */
  public static Optional<AttemptId> parse(String text) {
    return Ids.parse(PREFIX, text).map(AttemptId::new);
  }

  @Override
  public int compareTo(AttemptId other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return Ids.text(PREFIX, uuid);
  }
}
