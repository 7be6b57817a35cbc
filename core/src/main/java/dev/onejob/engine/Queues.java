package dev.onejob.engine;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where due jobs are known to wait for a slot. A job that is admitted there does not start at once:
 * it would pass those who wait. A hint only: who waits unseen is found by the next look.
 */
final class Queues {
  private record Queue(String kind, String provider) {}

  private final Set<Queue> waiting = ConcurrentHashMap.newKeySet();

  /** A job was left waiting there. */
  void joined(String kind, String provider) {
    waiting.add(new Queue(kind, provider));
  }

  boolean isWaiting(String kind, String provider) {
    return waiting.contains(new Queue(kind, provider));
  }

  /** A look found nothing due for any of these. */
  void empty(List<String> kinds, List<String> providers) {
    for (String kind : kinds) {
      providers.forEach(provider -> waiting.remove(new Queue(kind, provider)));
    }
  }
}
