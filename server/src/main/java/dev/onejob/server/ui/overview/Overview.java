package dev.onejob.server.ui.overview;

import dev.onejob.domain.Circuit;
import dev.onejob.domain.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the first page shows.
 *
 * @param everyone what only operators see; null for all others, and where it could not be read
 * @param operator whether it is an operator who looks
 */
public record Overview(Now now, @Nullable Everyone everyone, boolean operator) {
  /**
   * What is not over.
   *
   * @param counts counted among so many as a bound allows
   */
  public record Now(Doubt doubt, Counts counts) {}

  /**
   * What is not over.
   *
   * @param live attempts that are starting or running
   * @param queued jobs that wait to start
   * @param waiting jobs that wait for a person, in doubt apart
   */
  public record Counts(Count live, Count queued, Count waiting) {}

  /**
   * A count that ended at a bound.
   *
   * @param counted at least so many
   * @param more whether there is more than was looked at
   */
  public record Count(long counted, boolean more) {
    /** Beyond this nothing is looked at. */
    public static final int MAX = 10_000;

    /** Of the first entries of an index: so many were looked at, and so many of them count. */
    static Count of(long lookedAt, long counted) {
      return new Count(Math.min(counted, MAX), lookedAt > MAX);
    }

    /** Both together. */
    Count plus(Count other) {
      return new Count(counted + other.counted, more || other.more);
    }

    /** Whether there is any. */
    public boolean isAny() {
      return counted > 0;
    }
  }

  /**
   * What all nodes together have done.
   *
   * @param kept how many jobs there are, as the database estimates; negative: it has no idea yet
   * @param minutes the last hour, oldest first, each minute once
   * @param hour the last sixty minutes together
   * @param day the last 24 hours together
   */
  public record Everyone(
      long kept,
      List<Minute> minutes,
      Sums hour,
      Sums day,
      List<Money> paid,
      List<Money> saved,
      List<Node> nodes,
      List<Worker> workers,
      List<Provider> providers) {
    /** Copies the lists. */
    public Everyone {
      minutes = List.copyOf(minutes);
      paid = List.copyOf(paid);
      saved = List.copyOf(saved);
      nodes = List.copyOf(nodes);
      workers = List.copyOf(workers);
      providers = List.copyOf(providers);
    }

    /** The most attempts that ended in one of the minutes; at least 1. */
    public long most() {
      return minutes.stream().mapToLong(Minute::all).max().stream().map(m -> Math.max(m, 1)).sum();
    }
  }

  /** One minute of attempts that ended. */
  public record Minute(Instant at, long succeeded, long failed, long others) {
    /** All of them. */
    public long all() {
      return succeeded + failed + others;
    }
  }

  /** Counts over some time; attempts but for the first three, which are submissions. */
  public record Sums(
      long created, long repeated, long mismatched, long succeeded, long failed, long lost) {}

  /** A node, and when it last wrote. */
  public record Node(String name, Instant seenAt) {}

  /** A worker that holds attempts, and until when it does if it stays silent. */
  public record Worker(String name, long attempts, Instant leaseUntil) {}

  /**
   * A provider of this node.
   *
   * @param circuit null: it has never failed to answer
   * @param passes kinds for which it holds a pass that has not expired and was not withdrawn
   */
  public record Provider(String name, String type, @Nullable Circuit circuit, long passes) {
    /** Where its circuit stands. */
    public String circuitWord() {
      return (circuit == null ? Circuit.State.CLOSED : circuit.state()).word();
    }
  }
}
