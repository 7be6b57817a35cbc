package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
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
 */
final class SharedView {
  /** As often as live pages about everything are told at most. */
  private static final Duration KEPT = Duration.ofSeconds(2);

  /** How long somebody waits for a reading of another. */
  private static final Duration WAITED = Duration.ofSeconds(3);

  private final OverviewReader reader;
  private final Callable<Overview> everything;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Reading newest;

  SharedView(OverviewReader reader, EveryoneReader everyone, LongSupplier nanos) {
    this(
        reader,
        () -> new Overview(reader.doubt(null), reader.counts(null), everyone.read()),
        nanos);
  }

  /**
   * Over any way to read it.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  SharedView(OverviewReader reader, Callable<Overview> everything, LongSupplier nanos) {
    this.reader = reader;
    this.everything = everything;
    this.nanos = nanos;
  }

  /** One reading, of one thread, for everybody who comes meanwhile or soon after. */
  private final class Reading {
    private final FutureTask<Overview> task = new FutureTask<>(this::read);
    private volatile long endedAt;

    private Overview read() throws Exception {
      try {
        return everything.call();
      } finally {
        endedAt = nanos.getAsLong();
      }
    }

    private boolean isOld() {
      return task.isDone() && nanos.getAsLong() - endedAt > KEPT.toNanos();
    }
  }

  /**
   * The overview of everything, at most {@link #KEPT} old; whoever comes meanwhile shares it.
   *
   * @throws SQLException if it could not be read, by whomever it was tried
   */
  Overview everything() throws SQLException {
    Reading reading;
    boolean mine = false;
    lock.lock();
    try {
      Reading known = newest;
      if (known == null || known.isOld()) {
        known = new Reading();
        newest = known;
        mine = true;
      }
      reading = known;
    } finally {
      lock.unlock();
    }
    if (mine) {
      reading.task.run();
    }
    return outcome(reading);
  }

  private static Overview outcome(Reading reading) throws SQLException {
    try {
      return reading.task.get(WAITED.toMillis(), TimeUnit.MILLISECONDS);
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

  /** The overview of one owner. */
  Overview of(Owner owner) throws SQLException {
    return new Overview(reader.doubt(owner), reader.counts(owner), null);
  }
}
