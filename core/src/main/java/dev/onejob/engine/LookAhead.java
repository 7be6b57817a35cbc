package dev.onejob.engine;

import dev.onejob.store.DueJobs.Due;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a look has shown beyond what could be taken: for a moment it saves another look, which has
 * to pass all that was taken since the last vacuum. Whoever takes one finds out whether it is still
 * due. Of one thread.
 *
 * <p>Nodes that look at the same time are shown the same. Once they get into each other's way, each
 * takes what it was shown in an order of its own, within the same priority.
 */
final class LookAhead {
  /** How long what was shown is good for: as long may a more urgent job wait for the next look. */
  private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

  /** How long after the last collision nodes keep out of each other's way. */
  private static final long APART_NANOS = Duration.ofSeconds(2).toNanos();

  /** Jobs shown for each that can be taken now, and in all. */
  private static final int FOR_EACH = 8;

  private static final int MAX = 2_048;

  private final Deque<Due> shown = new ArrayDeque<>();
  private long shownAt;
  private boolean collided;
  private long collidedAt;

  /** How many are to be shown where so many can be taken. */
  static int limit(int room) {
    return Math.min(MAX, room * FOR_EACH);
  }

  /** A look has shown these, the first to start first. */
  void show(List<Due> due, long now) {
    shown.clear();
    shown.addAll(
        collided && now - collidedAt < APART_NANOS
            ? shuffled(due, ThreadLocalRandom.current())
            : due);
    shownAt = now;
  }

  /** Only what is equally urgent changes places. */
  static List<Due> shuffled(List<Due> due, Random random) {
    List<Due> shuffled = new ArrayList<>(due);
    int from = 0;
    for (int i = 1; i <= shuffled.size(); i++) {
      if (i == shuffled.size()
          || shuffled.get(i).lane().priority() != shuffled.get(from).lane().priority()) {
        Collections.shuffle(shuffled.subList(from, i), random);
        from = i;
      }
    }
    return shuffled;
  }

  /** The next so many of what was shown a moment ago; none: it is time to look. */
  List<Due> next(int room, long now) {
    if (now - shownAt >= MOMENT_NANOS) {
      shown.clear();
    }
    List<Due> next = new ArrayList<>();
    while (next.size() < room && !shown.isEmpty()) {
      next.add(shown.poll());
    }
    return next;
  }

  /** So many of those that were taken had gone to other nodes. */
  void lost(int gone, int of, long now) {
    if (gone * 4 > of) {
      collided = true;
      collidedAt = now;
      shown.clear(); // the rest has probably gone too
    }
  }
}
