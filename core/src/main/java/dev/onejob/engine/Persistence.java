package dev.onejob.engine;

import dev.onejob.store.MoveRequest;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what has to be written, however long the database is away: again and again, ever more
 * slowly, for as long as the process lives. A write whose answer was lost is simply made again: a
 * move that was made already answers as it did then.
 *
 * <p>How many wait is bounded by the slots and the late answers that are listened to. How many
 * bytes of results wait is bounded here.
 */
final class Persistence {
  private static final Logger LOG = LoggerFactory.getLogger(Persistence.class);

  /** First and longest pause between tries. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final AtomicLong waitingBytes = new AtomicLong();
  private final long waitingBytesMax;
  private volatile boolean closed;

  /**
   * Makes one.
   *
   * @param waitingBytesMax of results that wait to be written; one more is given up
   */
  Persistence(long waitingBytesMax) {
    this.waitingBytesMax = waitingBytesMax;
  }

  /** A quarter of the memory: beyond it the node would break, and lose all of them. */
  static Persistence ofThisMachine() {
    return new Persistence(Runtime.getRuntime().maxMemory() / 4);
  }

  /** From now on nothing is tried again. */
  void close() {
    closed = true;
  }

  boolean closed() {
    return closed;
  }

  /**
   * Writes.
   *
   * @param write may be run many times
   * @throws StoreException if the row is to blame, if this is closed, or if too many bytes wait
   */
  <T> T write(MoveRequest request, Supplier<T> write) throws InterruptedException {
    try {
      return write.get();
    } catch (StoreException e) {
      if (closed || e.blamesTheRow()) {
        throw e;
      }
      LOG.warn("{} {} is not yet written: {}", request.job(), request.event(), e.getMessage());
      return later(request, write, e);
    }
  }

  private <T> T later(MoveRequest request, Supplier<T> write, StoreException first)
      throws InterruptedException {
    int bytes = request.payloadBytes();
    try {
      if (waitingBytes.addAndGet(bytes) > waitingBytesMax) {
        LOG.error(
            "{} {} is given up, its result of {} bytes is lost: {} bytes may wait to be written",
            request.job(),
            request.event(),
            bytes,
            waitingBytesMax);
        throw first;
      }
      return again(request, write);
    } finally {
      waitingBytes.addAndGet(-bytes);
    }
  }

  private <T> T again(MoveRequest request, Supplier<T> write) throws InterruptedException {
    long from = Clocks.nanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      Clocks.pause(pause);
      try {
        T written = write.get();
        LOG.info(
            "{} {} is written after {} ms",
            request.job(),
            request.event(),
            Clocks.since(from).toMillis());
        return written;
      } catch (StoreException e) {
        if (closed || e.blamesTheRow()) {
          throw e;
        }
        LOG.debug("{} {} is still not written", request.job(), request.event(), e);
      }
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }
  }
}
