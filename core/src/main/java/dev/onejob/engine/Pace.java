package dev.onejob.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets a look that mostly finds nothing rest the longer the more it has to read: twenty times as
 * long as it took, ten seconds at most. One that has found something may be asked for again at
 * once. Of one thread.
 */
final class Pace {
  /** So that looks of one sort take a twentieth of a node's time at most. */
  private static final int RESTS = 20;

  /** A look may also have taken long because the database was away. */
  private static final long REST_MAX_NANOS = Duration.ofSeconds(10).toNanos();

  private final LongSupplier nanos;
  private boolean rests;
  private long until;

  /**
   * Makes one.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  Pace(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** What the look finds; nothing while it rests. */
  <T> List<T> look(Supplier<List<T>> look) {
    long from = nanos.getAsLong();
    if (rests && from - until < 0) {
      return List.of();
    }
    List<T> found = look.get();
    long end = nanos.getAsLong();
    rests = found.isEmpty();
    until = end + Math.min(RESTS * (end - from), REST_MAX_NANOS);
    return found;
  }
}
