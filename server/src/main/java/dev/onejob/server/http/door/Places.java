package dev.onejob.server.http.door;

import dev.onejob.domain.Owner;
import java.util.HashMap;
import java.util.Map;

/**
 * The places of requests behind the door of one node: a number for all, and of these a share at
 * most for each owner, so that no owner keeps the others out. Safe for many threads.
 */
public final class Places {
  private final int all;
  private final int share;
  private final Map<Owner, Integer> taken = new HashMap<>();
  private int takenByAll;

  /**
   * Makes them.
   *
   * @param share of each owner, of them all
   */
  public Places(int all, int share) {
    this.all = all;
    this.share = share;
  }

  /** Whether there is a place. */
  public enum Entry {
    /** It is taken, and to be given back by {@link #leave}. */
    TAKEN,
    /** All places are taken. */
    FULL,
    /** The owner has its share. */
    SHARE_USED
  }

  /** Takes a place, if there is one. */
  public synchronized Entry enter(Owner owner) {
    int own = taken.getOrDefault(owner, 0);
    if (own >= share) {
      return Entry.SHARE_USED;
    }
    if (takenByAll >= all) {
      return Entry.FULL;
    }
    takenByAll++;
    taken.put(owner, own + 1);
    return Entry.TAKEN;
  }

  /** Gives a place back that the owner has taken. */
  public synchronized void leave(Owner owner) {
    takenByAll--;
    taken.computeIfPresent(owner, (name, own) -> own == 1 ? null : own - 1);
  }
}
