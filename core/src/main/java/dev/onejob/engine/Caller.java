package dev.onejob.engine;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The thread that waits for a provider, while it may be interrupted. */
final class Caller {
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Thread thread; // guarded by lock

  /** Who may be interrupted from now on, null for nobody; gives who could be until now. */
  @Nullable Thread set(@Nullable Thread next) {
    lock.lock();
    try {
      Thread before = thread;
      thread = next;
      return before;
    } finally {
      lock.unlock();
    }
  }

  void interrupt() {
    lock.lock();
    try {
      if (thread != null) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }
}
