package dev.onejob.engine;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop around a single pass: runs it when signalled, and at the latest after the interval. A
 * pass that throws is logged and tried again at the next turn.
 */
public final class Pass implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Pass.class);

  private final String name;
  private final Duration interval;
  private final Runnable once;
  private final Semaphore signals = new Semaphore(0);
  private final Thread thread;
  private volatile boolean done; // once
  private volatile long doneAt;
  private volatile boolean closed;

  /** Not running before {@link #start}. */
  public Pass(String name, Duration interval, Runnable once) {
    this(name, interval, once, Thread.ofVirtual());
  }

  /** On a thread of the given sort. */
  Pass(String name, Duration interval, Runnable once, Thread.Builder sort) {
    this.name = name;
    this.interval = interval;
    this.once = once;
    this.thread = sort.name("onejob-" + name).unstarted(this::loop);
  }

  /** Begins, with a pass at once. */
  public void start() {
    thread.start();
  }

  /** Asks for a pass now; signals that come close together are merged. */
  public void signal() {
    if (signals.availablePermits() == 0) {
      signals.release();
    }
  }

  /** Whether the last pass that did not fail is over by no more than this and an interval. */
  boolean isOnTime(Duration margin) {
    return done && Clocks.since(doneAt).minus(interval).compareTo(margin) <= 0;
  }

  private void loop() {
    while (!closed) {
      try {
        once.run();
        doneAt = Clocks.nanos();
        done = true;
      } catch (RuntimeException | Error e) { // an Error must not end the loop unseen
        LOG.warn("{} failed and will be tried again: {}", name, e.toString());
        LOG.debug("{}", name, e);
      }
      try {
        boolean signalled = signals.tryAcquire(interval.toMillis(), TimeUnit.MILLISECONDS);
        if (signalled) {
          signals.drainPermits();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts a pass: it may hold a connection", e);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    signals.release(); // not an interrupt: that would break a connection in use
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
