package dev.onejob.engine;

import java.time.Duration;

/**
 * The one place that reads this machine's clocks and sleeps. What is due, lapsed or late is judged
 * by the database alone; these clocks only make ids and measure waits.
 */
final class Clocks {
  private Clocks() {}

  /** Milliseconds since 1970, for ids that sort by time. */
  static long epochMillis() {
    return System.currentTimeMillis();
  }

  /** A moment of the monotonic clock. */
  static long nanos() {
    return System.nanoTime();
  }

  /** How long ago a moment of the monotonic clock was. */
  static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  static void pause(Duration duration) throws InterruptedException {
    Thread.sleep(duration);
  }
}
