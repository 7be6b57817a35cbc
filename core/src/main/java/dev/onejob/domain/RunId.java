package dev.onejob.domain;

import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** The id of a qualification run, written as {@code run_} and 26 characters; sorts by time. */
public record RunId(UUID uuid) {
  private static final String PREFIX = "run_";

  /** Makes a new id for the given moment. */
  public static RunId next(long epochMillis, RandomGenerator random) {
    return new RunId(Ids.timeOrdered(epochMillis, random));
  }

  /** Reads the text form; empty if it is not exactly an id of this sort. */
  public static Optional<RunId> parse(String text) {
    return Ids.parse(PREFIX, text).map(RunId::new);
  }

  @Override
  public String toString() {
    return Ids.text(PREFIX, uuid);
  }
}
