package dev.onejob.server.ui.overview;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all operators see alike, read once for all tabs of a node and kept for a moment: live pages
 * are told at once, and come at once. A reading that fails is kept as well, so that a hundred tabs
 * do not ask a database one after the other that does not answer. Safe for many threads.
 *
 * @param <T> what is read
 */
final class SharedView<T> {
  /** How long somebody waits for a reading, which goes on without them. */
  private static final Duration WAITED = Duration.ofSeconds(3);

  private final Callable<T> read;
  private final Duration kept;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Reading newest;

  /**
   * Over a way to read it.
   *
   * @param kept how long everybody is shown the same
   * @param nanos a clock that never goes back, in nanoseconds
   */
  SharedView(Callable<T> read, Duration kept, LongSupplier nanos) {
    this.read = read;
    this.kept = kept;
    this.nanos = nanos;
  }

  /** One reading, of a thread of its own, for everybody who comes meanwhile or soon after. */
  private final class Reading {
    private final FutureTask<T> task = new FutureTask<>(this::read);
    private volatile long endedAt;

    private T read() throws Exception {
      try {
        return read.call();
      } finally {
        endedAt = nanos.getAsLong();
      }
    }

    private boolean isOld() {
      return task.isDone() && nanos.getAsLong() - endedAt > kept.toNanos();
    }

    private T outcome() throws SQLException {
      try {
        return task.get(WAITED.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof SQLException known) {
          throw known;
        }
        if (cause instanceof RuntimeException known) {
          throw known;
        }
        throw new IllegalStateException("the overview could not be read", e);
      } catch (TimeoutException e) {
        throw new SQLTransientConnectionException("the overview is still being read", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SQLTransientConnectionException("nobody waits for the overview any more", e);
      }
    }
  }

  /**
   * What was read just now, or a moment ago; whoever comes meanwhile shares it.
   *
   * @throws SQLException if it could not be read, for whomever it was tried
   */
  T now() throws SQLException {
    lock.lock();
    Reading reading;
    try {
      Reading known = newest;
      if (known == null || known.isOld()) {
        known = new Reading();
        newest = known;
        Thread.ofVirtual().name("onejob-overview").start(known.task);
      }
      reading = known;
    } finally {
      lock.unlock();
    }
    return reading.outcome();
  }
}
