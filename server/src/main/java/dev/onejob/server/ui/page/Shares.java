package dev.onejob.server.ui.page;

import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * The same turns for each API key, so that none of them takes everything. Only what is in use is
 * kept. Safe for many threads.
 */
public final class Shares {
  private final Turns.Bounds each;
  private final ConcurrentMap<UUID, Share> inUse = new ConcurrentHashMap<>();

  /** Shares of which each has these bounds. */
  public Shares(Turns.Bounds each) {
    this.each = each;
  }

  private record Share(Turns turns, int users) {
    Share with(int more) {
      return new Share(turns, users + more);
    }
  }

  /**
   * Does something as soon as this key has a turn.
   *
   * @param otherwise makes what is thrown if it had none in time, or too many wait already
   */
  public <T> T during(UUID key, Callable<T> work, Supplier<? extends RuntimeException> otherwise)
      throws Exception {
    try {
      return enter(key).during(work, otherwise);
    } finally {
      leave(key);
    }
  }

  private Turns enter(UUID key) {
    Share share =
        inUse.compute(
            key, (same, found) -> found == null ? new Share(new Turns(each), 1) : found.with(1));
    return Objects.requireNonNull(share).turns();
  }

  private void leave(UUID key) {
    inUse.computeIfPresent(key, (same, found) -> found.users() == 1 ? null : found.with(-1));
  }

  /** How many keys have something in use, or wait for it. */
  int keysInUse() {
    return inUse.size();
  }
}
