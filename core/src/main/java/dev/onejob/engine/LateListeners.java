package dev.onejob.engine;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts whose lines are still read although they are in doubt. They hold no slot, so that
 * they are bounded here: one more than may be closes the line that has been silent for the longest.
 */
final class LateListeners {
  private static final Logger LOG = LoggerFactory.getLogger(LateListeners.class);

  private final int max;
  private final Set<AttemptRun> oldestFirst = new LinkedHashSet<>(); // guarded by lock
  private final ReentrantLock lock = new ReentrantLock();

  LateListeners(int max) {
    this.max = max;
  }

  /** This attempt is listened to beyond its timeout. */
  void add(AttemptRun run) {
    AttemptRun tooMany = added(run);
    if (tooMany != null) {
      LOG.warn(
          "{} {} is no longer listened to: {} late answers at most are awaited at once",
          tooMany.speaker().job(),
          tooMany.speaker().attempt(),
          max);
      tooMany.stopListening();
    }
  }

  private @Nullable AttemptRun added(AttemptRun run) {
    lock.lock();
    try {
      oldestFirst.add(run);
      if (oldestFirst.size() <= max) {
        return null;
      }
      Iterator<AttemptRun> runs = oldestFirst.iterator();
      AttemptRun oldest = runs.next();
      runs.remove();
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  /** Nobody listens to it any more. */
  void remove(AttemptRun run) {
    lock.lock();
    try {
      oldestFirst.remove(run);
    } finally {
      lock.unlock();
    }
  }
}
