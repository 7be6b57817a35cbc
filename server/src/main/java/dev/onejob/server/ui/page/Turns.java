package dev.onejob.server.ui.page;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Lets so many do something at once, and so many more wait for it a while, in order. Safe for many
 * threads.
 */
public final class Turns {
  private final Bounds bounds;
  private final Semaphore free;
  private final AtomicInteger here = new AtomicInteger();

  /**
   * How many there may be.
   *
   * @param atOnce whose turn it is
   * @param waiting for their turn, besides
   * @param patience after which whoever waits goes away
   */
  public record Bounds(int atOnce, int waiting, Duration patience) {
    /** Nobody waits: whoever finds no room is turned away. */
    public static Bounds atOnce(int most) {
      return new Bounds(most, 0, Duration.ZERO);
    }
  }

  /** Nobody is here yet. */
  public Turns(Bounds bounds) {
    this.bounds = bounds;
    this.free = new Semaphore(bounds.atOnce(), true);
  }

  /**
   * Does something as soon as it is its turn.
   *
   * @param otherwise makes what is thrown if that did not come in time, or too many wait already
   */
  public <T> T during(Callable<T> work, Supplier<? extends RuntimeException> otherwise)
      throws Exception {
    if (!take()) {
      throw otherwise.get();
    }
    try {
      return work.call();
    } finally {
      free.release();
      here.decrementAndGet();
    }
  }

  private boolean take() throws InterruptedException {
    boolean taken = false;
    int others = here.getAndIncrement();
    try {
      taken =
          others < bounds.atOnce() + bounds.waiting()
              && free.tryAcquire(bounds.patience().toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      if (!taken) {
        here.decrementAndGet();
      }
    }
    return taken;
  }
}
