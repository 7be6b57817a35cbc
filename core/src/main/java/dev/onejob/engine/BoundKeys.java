package dev.onejob.engine;

import dev.onejob.store.NewJob;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Keys that were bound lately, as far as this node has seen: a repeat is then looked up before
 * anything is inserted. A hint only, and a small one: whoever follows it in vain inserts after all,
 * and whoever is forgotten is stopped by the constraint.
 */
final class BoundKeys {
  /** Half a megabyte. A power of two. */
  private static final int PLACES = 1 << 16;

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final AtomicLongArray places = new AtomicLongArray(PLACES);

  /** The key of this job is bound. */
  void add(NewJob job) {
    long mark = mark(job);
    places.setPlain(place(mark), mark);
  }

  /** Whether its key may be bound already. */
  boolean mayHold(NewJob job) {
    long mark = mark(job);
    return places.getPlain(place(mark)) == mark;
  }

  private static int place(long mark) {
    return (int) (mark & (PLACES - 1));
  }

  /** Never 0, which marks nothing. */
  private static long mark(NewJob job) {
    long both =
        (long) job.owner().value().hashCode() << Integer.SIZE
            | Integer.toUnsignedLong(job.key().value().hashCode());
    long mixed = both * SPREAD;
    return (mixed ^ mixed >>> Integer.SIZE) | 1L << (Long.SIZE - 1);
  }
}
