package dev.onejob.server.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which API key the sessions were of that this node has met lately. It opens nothing: the database
 * alone says whether a session still is. Safe for many threads.
 */
final class MetSessions {
  /** Whoever has been away for longer than so many others is a stranger again. */
  private static final int MOST = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, UUID> keys = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  void met(String session, UUID key) {
    lock.lock();
    try {
      keys.put(session, key);
      if (keys.size() > MOST) {
        keys.remove(keys.keySet().iterator().next());
      }
    } finally {
      lock.unlock();
    }
  }

  void gone(String session) {
    lock.lock();
    try {
      keys.remove(session);
    } finally {
      lock.unlock();
    }
  }

  Optional<UUID> keyOf(String session) {
    lock.lock();
    try {
      return Optional.ofNullable(keys.get(session));
    } finally {
      lock.unlock();
    }
  }
}
