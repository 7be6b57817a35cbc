package dev.onejob.server.http.request;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much of the memory bodies may take while they arrive: thousands of callers may be under way,
 * and each could send megabytes and never come to an end. Safe for many threads.
 */
final class BodyRoom {
  /** Of all that Java may take; what is read is in memory several times afterwards. */
  private static final int PART_OF_MEMORY = 8;

  /** So many of the largest fit in any case. */
  private static final int LARGEST_MIN = 4;

  /** What a usual burst of large bodies is read in. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final long all;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition given = lock.newCondition();
  private final Map<UUID, Long> ofCallers = new HashMap<>();
  private long taken;

  /**
   * Room for so many bytes, half of it at most for each caller.
   *
   * @param patience how long somebody waits for room
   */
  BodyRoom(long all, Duration patience) {
    this.all = all;
    this.patience = patience;
  }

  /** Of a process with so much memory. */
  static BodyRoom of(long memoryBytes, int largest) {
    long most = Math.max(memoryBytes / PART_OF_MEMORY, (long) LARGEST_MIN * largest);
    return new BodyRoom(most, PATIENCE);
  }

  /** Reads a body. */
  interface Reading {
    byte[] read() throws IOException;
  }

  /**
   * Reads as soon as there is room.
   *
   * @param caller whose share it is
   * @throws ProblemException if there was no room in time; nothing was read
   */
  byte[] during(UUID caller, int bytes, Reading reading) throws IOException {
    enter(caller, bytes);
    try {
      return reading.read();
    } finally {
      leave(caller, bytes);
    }
  }

  private void enter(UUID caller, int bytes) throws IOException {
    long nanos = patience.toNanos();
    lock.lock();
    try {
      while (!fits(caller, bytes)) {
        if (nanos <= 0) {
          throw Problem.of(
                  ProblemType.OVERLOADED,
                  "Large bodies take all the memory that there is for them. Nothing was read; send"
                      + " the same request again.")
              .withHeader("Retry-After", "1")
              .asException();
        }
        nanos = given.awaitNanos(nanos);
      }
      taken += bytes;
      ofCallers.merge(caller, (long) bytes, Long::sum);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for room");
    } finally {
      lock.unlock();
    }
  }

  private boolean fits(UUID caller, int bytes) {
    return taken + bytes <= all && ofCallers.getOrDefault(caller, 0L) + bytes <= all / 2;
  }

  private void leave(UUID caller, int bytes) {
    lock.lock();
    try {
      taken -= bytes;
      ofCallers.computeIfPresent(caller, (same, own) -> own == bytes ? null : own - bytes);
      given.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
