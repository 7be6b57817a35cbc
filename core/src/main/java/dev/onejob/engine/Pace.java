package dev.onejob.engine;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets a look that mostly finds nothing rest the longer the more it has to read: twenty times as
 * long as it took. One that has found something may be asked for again at once. Of one thread.
 */
final class Pace {
  /** So that looks of one sort take a twentieth of a node's time at most. */
  private static final int RESTS = 20;

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
    until = end + RESTS * (end - from);
    return found;
  }
}
