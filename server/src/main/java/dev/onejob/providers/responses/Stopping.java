package dev.onejob.providers.responses;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The wish that one call be stopped, heard by whoever waits. */
final class Stopping {
  /**
   * How long the answer to a submit is still waited for: with the id in it the work can be
   * cancelled, and without it nothing can be known of it.
   */
  private static final Duration SUBMIT_GRACE = Duration.ofSeconds(5);

  private final CountDownLatch asked = new CountDownLatch(1);
  private @Nullable Runnable cut;

  /** Somebody wishes it. Does not block. */
  void ask() {
    asked.countDown();
    CompletableFuture.delayedExecutor(SUBMIT_GRACE.toMillis(), TimeUnit.MILLISECONDS)
        .execute(this::cutLine);
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits, but no longer once somebody wishes it. */
  void await(Duration most) throws InterruptedException {
    boolean wished = false;
    for (long end = System.nanoTime() + most.toNanos(); !wished && end > System.nanoTime(); ) {
      wished = asked.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
    }
  }

  /** What closes the line of the submit. */
  synchronized void onCut(Runnable cut) {
    this.cut = cut;
  }

  /** The submit was answered: its line is closed by itself. */
  synchronized void submitted() {
    cut = null;
  }

  private void cutLine() {
    Runnable now = cutNow();
    if (now != null) {
      now.run();
    }
  }

  private synchronized @Nullable Runnable cutNow() {
    return cut;
  }
}
