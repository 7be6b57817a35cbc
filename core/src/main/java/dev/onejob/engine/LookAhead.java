package dev.onejob.engine;

import dev.onejob.store.DueJobs;
import dev.onejob.store.DueJobs.Due;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a look has shown beyond what could be taken: for a moment it saves another look, which has
 * to pass all that was taken since the last vacuum. Whoever takes one finds out whether it is still
 * due. Of one thread.
 *
 * <p>Nodes that look at the same time are shown the same. Where others were faster, a node keeps
 * apart from them for a second: of a lane it takes the first job of each owner first, and begins
 * somewhere within the others. So priorities hold, and every owner comes to its turn.
 */
final class LookAhead {
  /** How long what was shown is good for: as long may a more urgent job wait for the next look. */
  private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

  /** Jobs shown for each that can be taken now, and in all. */
  private static final int FOR_EACH = 8;

  private static final int MAX = 2_048;

  /** For how long nodes keep apart after one was faster. */
  private static final long APART_NANOS = Duration.ofSeconds(1).toNanos();

  private final IntUnaryOperator somewhere;
  private final Deque<Due> shown = new ArrayDeque<>();
  private long shownAt;
  private boolean apart;
  private long apartSince;

  /**
   * Makes one.
   *
   * @param somewhere gives any number from 0 to below its argument
   */
  LookAhead(IntUnaryOperator somewhere) {
    this.somewhere = somewhere;
  }

  /** How many are to be shown where so many can be taken. */
  static int limit(int room) {
    return Math.min(MAX, room * FOR_EACH);
  }

  /** A look has shown these, the first to start first. */
  void show(List<Due> due, long now) {
    apart = apart && now - apartSince < APART_NANOS;
    shown.clear();
    shown.addAll(apart ? keptApart(due) : due);
    shownAt = now;
  }

  private List<Due> keptApart(List<Due> due) {
    List<Due> all = new ArrayList<>(due.size());
    due.stream() // they come with the highest priority first
        .collect(
            Collectors.groupingBy(
                each -> each.lane().priority(), LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(level -> keepApart(level, all));
    return all;
  }

  private void keepApart(List<Due> level, List<Due> all) {
    List<Due> others = new ArrayList<>();
    Set<DueJobs.Turn> served = new HashSet<>();
    for (Due each : level) {
      boolean first = served.add(new DueJobs.Turn(each.lane(), each.owner()));
      (first ? all : others).add(each);
    }
    if (!others.isEmpty()) {
      Collections.rotate(others, somewhere.applyAsInt(others.size()));
      all.addAll(others);
    }
  }

  /**
   * Takes what was shown a moment ago, one after the other; what cannot be taken is passed over.
   *
   * @param taking null: it cannot be
   * @return at most so many; none: it is time to look
   */
  <T> List<T> take(int room, long now, Function<Due, @Nullable T> taking) {
    if (now - shownAt >= MOMENT_NANOS) {
      shown.clear();
    }
    List<T> taken = new ArrayList<>();
    while (taken.size() < room && !shown.isEmpty()) {
      T one = taking.apply(shown.remove());
      if (one != null) {
        taken.add(one);
      }
    }
    return taken;
  }

  /** So many of those that were taken had gone, mostly to other nodes, and so has the rest. */
  void lost(int gone, int of, long now) {
    if (gone * 4 > of) {
      shown.clear();
      apart = true;
      apartSince = now;
    }
  }
}
