package dev.onejob.soak;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread that takes turns until it is told to stop, and remembers what ended it otherwise. */
final class Turns {
  /** One turn; says how long to wait until the next. */
  interface Turn {
    Duration take() throws Exception;
  }

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Thread thread;

  Turns(String name, Turn turn) {
    this.thread = Thread.ofVirtual().name(name).unstarted(() -> loop(turn));
  }

  private void loop(Turn turn) {
    try {
      Duration pause = Duration.ZERO;
      while (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        pause = turn.take();
      }
    } catch (Throwable e) { // told when the run ends: a soak without one of its actors proves less
      failure.set(e);
    }
  }

  void start() {
    thread.start();
  }

  boolean stopping() {
    return stopped.getCount() == 0;
  }

  /** Waits out the present turn. */
  void stop() {
    stopped.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Throwable ended = failure.get();
    if (ended != null) {
      throw new IllegalStateException(thread.getName() + " ended early", ended);
    }
  }
}
