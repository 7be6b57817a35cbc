package dev.onejob.server.ui.playground;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What has come to pass on one side of a run, in order. Safe for many threads. */
final class Journal {
  /** More than any preset needs. */
  private static final int STEPS_MAX = 40;

  private final List<Step> steps = new ArrayList<>();
  private final LongSupplier nanos;
  private final long began;

  /**
   * An empty one.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  Journal(LongSupplier nanos) {
    this.nanos = nanos;
    this.began = nanos.getAsLong();
  }

  /** Since the run began, in milliseconds. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - began);
  }

  /** Notes that something came to pass by itself. */
  void note(String did, String why) {
    add(did, "", why, "");
  }

  synchronized void add(String did, String got, String why, String curl) {
    if (steps.size() < STEPS_MAX) {
      String at = String.format(Locale.ROOT, "%.1f s", millis() / 1_000.0);
      steps.add(new Step(at, did, got, why, curl));
    }
  }

  synchronized List<Step> steps() {
    return List.copyOf(steps);
  }
}
