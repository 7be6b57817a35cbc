package dev.onejob.engine;

import dev.onejob.domain.Owner;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.DueJobs.Lane;
import dev.onejob.store.DueJobs.Rota;
import dev.onejob.store.DueJobs.Turn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whose turn it was last, in each lane that was lately served by this node. Every node keeps its
 * own; what is forgotten begins again at the first owner. Safe for many threads.
 */
final class Turns implements Rota {
  /** More lanes than a node serves in earnest; each is a row of the look for due jobs. */
  private static final int LANES_MAX = 256;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Lane, Owner> last = // guarded by lock
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Lane, Owner> eldest) {
          return size() > LANES_MAX;
        }
      };

  @Override
  public void served(Due due) {
    lock.lock();
    try {
      last.put(due.lane(), due.owner());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<Turn> turns() {
    lock.lock();
    try {
      return last.entrySet().stream()
          .map(each -> new Turn(each.getKey(), each.getValue()))
          .toList();
    } finally {
      lock.unlock();
    }
  }
}
