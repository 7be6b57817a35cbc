package dev.onejob.engine;

import dev.onejob.domain.Limits;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which sort of what has gathered for a {@link GroupCommit} may leave, and which leaves next. The
 * sort of which most items wait does, unless that has passed over the longest waiting item too
 * often.
 *
 * <p>A flight costs as much as dozens of items. So while flights of many items of a sort are in the
 * air, the next of that sort gathers, until it fills a flight, or those in the air are late. Not
 * safe for threads: whoever has the lock of the gathered asks.
 */
final class FlightRules {
  /** Flights of a sort that carry no more than so many, all together, hold nobody of it back. */
  static final int LIGHT_MAX = 4;

  /** After which a flight is late: many times as long as one takes where nothing is wrong. */
  static final Duration LATE = Duration.ofMillis(50);

  /** Flights of other sorts that may leave before the item that has waited longest. */
  private static final int PASSED_OVER_MAX = 3;

  private final Map<Object, Aloft> aloft = new HashMap<>(); // by sort
  private int waiting;
  private long waitingBytes;
  private int passedOver; // flights that left without the item that has waited longest

  /** What is in the air of a sort, and since when the last of its flights. */
  private static final class Aloft {
    private int items;
    private long since;
  }

  /** An item has gathered. */
  void gathered(int bytes) {
    waiting++;
    waitingBytes += bytes;
  }

  /** A flight of a sort is about to leave; what {@link #boarded} it is told of one by one. */
  void boarding(Object sort, boolean longestWaiting, long now) {
    aloft.computeIfAbsent(sort, each -> new Aloft()).since = now;
    passedOver = longestWaiting ? 0 : passedOver + 1;
  }

  /** An item that had gathered is in the air. Needs no memory. */
  void boarded(Object sort, int bytes) {
    waiting--;
    waitingBytes -= bytes;
    count(sort, 1);
  }

  /** So many have landed. Needs no memory. */
  void landed(Object sort, int items) {
    count(sort, -items);
  }

  private void count(Object sort, int items) {
    Aloft of = aloft.get(sort);
    if (of != null) {
      of.items += items;
    }
  }

  /** Whether a flight of the sort may leave: if not, those of it in the air take it along next. */
  boolean mayLeave(Object sort, long now) {
    Aloft of = aloft.get(sort);
    return of == null
        || of.items <= LIGHT_MAX
        || waiting >= Limits.BATCH_MAX
        || waitingBytes >= Limits.BATCH_BYTES_MAX
        || now - of.since >= LATE.toNanos();
  }

  /**
   * The sort that leaves next; of equals, the one that waits longest; null: none may.
   *
   * @param sorts of all that wait, who has waited longest first
   */
  @Nullable Object next(Iterable<Object> sorts, long now) {
    Map<Object, Integer> counts = new LinkedHashMap<>();
    sorts.forEach(sort -> counts.merge(sort, 1, Integer::sum));
    if (passedOver >= PASSED_OVER_MAX && !counts.isEmpty()) {
      Object first = counts.keySet().iterator().next();
      if (mayLeave(first, now)) {
        return first;
      }
    }
    counts.keySet().removeIf(sort -> !mayLeave(sort, now));
    return counts.isEmpty()
        ? null
        : Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
  }
}
