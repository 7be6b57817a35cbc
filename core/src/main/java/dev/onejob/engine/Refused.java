package dev.onejob.engine;

import dev.onejob.domain.JobId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Due jobs that this node may not start as it sees their ways: for a moment they are not looked
 * for, so that they hide nothing and are not tried over and over. Another node may start them, or a
 * detour sends them on. Safe for many threads.
 */
final class Refused {
  private static final long MOMENT_NANOS = Duration.ofSeconds(2).toNanos();

  /** As many as are left out of one look; further ones are tried again. */
  private static final int MAX = 2_048;

  private final Map<JobId, Long> since = new ConcurrentHashMap<>();

  void add(JobId job) {
    if (since.size() < MAX) {
      since.put(job, Clocks.nanos());
    }
  }

  /** Those of the last moment, and these. */
  Set<JobId> and(Set<JobId> others) {
    long now = Clocks.nanos();
    since.values().removeIf(then -> now - then >= MOMENT_NANOS);
    Set<JobId> all = new HashSet<>(others);
    all.addAll(since.keySet());
    return all;
  }
}
