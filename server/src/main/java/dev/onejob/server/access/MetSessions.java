package dev.onejob.server.access;

import java.util.LinkedHashMap;
import java.util.List;
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

  /** As many as it can have at a time: whoever logs in without an end drives nobody else out. */
  private static final int OF_KEY_MAX = Sessions.PER_KEY_MAX;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, UUID> keys = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  void met(String session, UUID key) {
    lock.lock();
    try {
      if (keys.put(session, key) == null) {
        List<String> ofKey = ofKey(key);
        if (ofKey.size() > OF_KEY_MAX) {
          keys.remove(ofKey.getFirst());
        } else if (keys.size() > MOST) {
          keys.remove(keys.keySet().iterator().next());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private List<String> ofKey(UUID key) {
    return keys.entrySet().stream()
        .filter(each -> each.getValue().equals(key))
        .map(Map.Entry::getKey)
        .toList();
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
