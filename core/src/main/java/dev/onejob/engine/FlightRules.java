package dev.onejob.engine;

import dev.onejob.domain.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which sort of what has gathered for a {@link GroupCommit} may leave, and which leaves next. The
 * sort of which most items wait does, unless that has passed over the longest waiting item too
 * often.
 *
 * <p>A flight costs as much as dozens of items. So while flights of many items of a sort are in the
 * air, the next of that sort gathers: until they have landed or are late, or enough waits to fill a
 * flight. Not safe for threads: whoever has the lock of the gathered asks.
 */
final class FlightRules {
  /** Flights of a sort that carry no more than so many, all together, hold nobody of it back. */
  static final int LIGHT_MAX = 4;

  /** After which a flight is late: many times as long as one takes where nothing is wrong. */
  static final Duration LATE = Duration.ofMillis(50);

  /** Flights of other sorts that may leave before the item that has waited longest. */
  private static final int PASSED_OVER_MAX = 3;

  private final List<Flight> inTheAir = new ArrayList<>();
  private final Duration late;
  private int waiting;
  private long waitingBytes;
  private int passedOver; // flights that left without the item that has waited longest

  /**
   * Makes one.
   *
   * @param late after which a flight holds nobody back any more
   */
  FlightRules(Duration late) {
    this.late = late;
  }

  /** One flight; on the ground, unless {@link #leaves} was told of it. */
  static final class Flight {
    private @Nullable Object sort;
    private long since;
    private int items;
  }

  Duration late() {
    return late;
  }

  /** An item has gathered. */
  void gathered(int bytes) {
    waiting++;
    waitingBytes += bytes;
  }

  /**
   * A flight of a sort leaves; its items are told of one by one.
   *
   * @param longestWaiting whether it takes along the item that has waited longest
   */
  void leaves(Flight flight, Object sort, boolean longestWaiting, long now) {
    flight.sort = sort;
    flight.since = now;
    inTheAir.add(flight);
    passedOver = longestWaiting ? 0 : passedOver + 1;
  }

  /** An item that had gathered is aboard. Needs no memory. */
  void boards(Flight flight, int bytes) {
    waiting--;
    waitingBytes -= bytes;
    flight.items++;
  }

  /** It is over, if it ever left. Needs no memory. */
  void landed(Flight flight) {
    inTheAir.remove(flight);
  }

  /**
   * Whether a flight of the sort may leave: if not, one of it that lands is followed by the next.
   */
  boolean mayLeave(Object sort, long now) {
    int items = 0;
    for (Flight flight : inTheAir) {
      boolean counts = sort.equals(flight.sort) && now - flight.since < late.toNanos();
      items += counts ? flight.items : 0;
    }
    return items <= LIGHT_MAX
        || waiting >= Limits.BATCH_MAX
        || waitingBytes >= Limits.BATCH_BYTES_MAX;
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
