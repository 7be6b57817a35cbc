package dev.onejob.engine;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Keys that were bound lately, as far as this node has seen: a repeat is then looked up before
 * anything is inserted. A hint only, and a small one: whoever follows it in vain inserts after all,
 * and whoever is forgotten is stopped by the constraint. So nothing here waits for anybody, and two
 * who write at the same time may undo each other.
 */
final class BoundKeys {
  /** Half a megabyte in all. Powers of two. */
  private static final int SHELVES = 1 << 14;

  /**
   * Marks that are kept on a shelf, the last ones: few keys that repeat do not push each other out.
   */
  private static final int DEPTH = 4;

  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final AtomicLongArray marks = new AtomicLongArray(SHELVES * DEPTH);

  /** This key is bound. */
  void add(Owner owner, IntentKey key) {
    long mark = mark(owner, key);
    int first = first(mark);
    if (holds(first, mark)) {
      return;
    }
    for (int i = first + DEPTH - 1; i > first; i--) {
      marks.setPlain(i, marks.getPlain(i - 1));
    }
    marks.setPlain(first, mark);
  }

  /** Whether this key may be bound already. */
  boolean mayHold(Owner owner, IntentKey key) {
    long mark = mark(owner, key);
    return holds(first(mark), mark);
  }

  private boolean holds(int first, long mark) {
    for (int i = first; i < first + DEPTH; i++) {
      if (marks.getPlain(i) == mark) {
        return true;
      }
    }
    return false;
  }

  private static int first(long mark) {
    return (int) (mark & (SHELVES - 1)) * DEPTH;
  }

  /** Never 0, which marks nothing. */
  private static long mark(Owner owner, IntentKey key) {
    long both =
        (long) owner.value().hashCode() << Integer.SIZE
            | Integer.toUnsignedLong(key.value().hashCode());
    long mixed = both * SPREAD;
    return (mixed ^ mixed >>> Integer.SIZE) | 1L << (Long.SIZE - 1);
  }
}
