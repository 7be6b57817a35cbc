package dev.onejob.engine;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs something later, on a virtual thread of its own, so that no timer waits for another. */
final class Timers implements AutoCloseable {
  private final ScheduledThreadPoolExecutor clock;

  Timers() {
    clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("onejob-timers").factory());
    clock.setRemoveOnCancelPolicy(true);
  }

  Future<?> after(Duration delay, Runnable action) {
    return clock.schedule(
        () -> {
          Thread.ofVirtual().name("onejob-timer").start(action);
        },
        delay.toNanos(),
        TimeUnit.NANOSECONDS);
  }

  /** The same; nothing once this is closed. */
  void afterIfOpen(Duration delay, Runnable action) {
    try {
      after(delay, action);
    } catch (RejectedExecutionException e) {
      // The node closes: what was to be done later is left to the other nodes.
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
