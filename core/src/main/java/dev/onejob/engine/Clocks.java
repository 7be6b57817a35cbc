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

  /** This moment, of both clocks. */
  static Moment now() {
    return new Moment(System.nanoTime(), System.currentTimeMillis());
  }

  /** A moment from which is counted how long something may still be done. */
  record Moment(long nanos, long epochMillis) {
    /**
     * How long ago it was, by the clock that says more: while a machine sleeps its monotonic clock
     * may stand still, and the other one may be set back.
     */
    Duration ago() {
      return longer(since(nanos), Duration.ofMillis(System.currentTimeMillis() - epochMillis));
    }
  }

  /** The longer one. */
  static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  static void pause(Duration duration) throws InterruptedException {
    Thread.sleep(duration);
  }
}
