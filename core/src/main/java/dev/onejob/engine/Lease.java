package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.store.Leases.Held;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The lease of one attempt as its node sees it. The database clock judges; this side errs to the
 * safe one: it counts from before the statement that gave or renewed the lease was sent. Once lost
 * it stays lost: an attempt that is held again has another one.
 */
final class Lease {
  private final Held held;
  private final Duration length;
  private final Consumer<String> onLoss;
  private final AtomicBoolean lost = new AtomicBoolean();
  private volatile long since;

  /**
   * Makes one.
   *
   * @param since a moment of the monotonic clock, not after the lease was given
   * @param onLoss told why, once, when the lease is lost
   */
  Lease(Held held, Duration length, long since, Consumer<String> onLoss) {
    this.held = held;
    this.length = length;
    this.since = since;
    this.onLoss = onLoss;
  }

  AttemptId attempt() {
    return held.attempt();
  }

  UUID token() {
    return held.token();
  }

  Held held() {
    return held;
  }

  /** How long it lasts from each renewal. */
  Duration length() {
    return length;
  }

  /** Whether it surely still lasts. */
  boolean lasts() {
    return !lost.get() && Clocks.since(since).compareTo(length) < 0;
  }

  /** It was renewed by a statement that was sent after that moment. */
  void renewed(long moment) {
    since = moment;
  }

  /** Another one has taken its place: nobody is told any more that it is lost. */
  void end() {
    lost.set(true);
  }

  /** It can be renewed no more. */
  void lose(String why) {
    if (lost.compareAndSet(false, true)) {
      onLoss.accept(why);
    }
  }
}
