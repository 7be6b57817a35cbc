package dev.onejob.engine;

import dev.onejob.domain.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What is in flight on this node: bounded over all, for each kind and for each provider. */
final class Slots {
  private final Semaphore node;
  private final Map<String, Semaphore> kinds = new HashMap<>();
  private final Map<String, Semaphore> providers = new HashMap<>();
  private final int total;
  private final Runnable onRelease;
  private volatile boolean closed;
  private volatile boolean shut;

  Slots(EngineConfig config, Runnable onRelease) {
    this.total = config.slots();
    this.node = new Semaphore(total);
    this.onRelease = onRelease;
    for (Kind kind : config.kinds()) {
      kinds.put(kind.name(), new Semaphore(kind.inFlightMax()));
    }
    config
        .providers()
        .forEach(
            (name, provider) -> {
              if (!provider.pulled()) { // its work takes no place here
                providers.put(name, new Semaphore(provider.inFlightMax()));
              }
            });
  }

  /** A place for one attempt; to be given back exactly once, further times do nothing. */
  final class Slot {
    private final List<Semaphore> taken;
    private final AtomicBoolean released = new AtomicBoolean();

    private Slot(List<Semaphore> taken) {
      this.taken = taken;
    }

    /** Whether a request may still leave under it: to be asked last of all, just before it does. */
    boolean isOpen() {
      return !shut;
    }

    void release() {
      if (giveBack()) {
        onRelease.run();
      }
    }

    /**
     * As {@link #release}, by a look that did not use it after all: that is no reason to look
     * again.
     *
     * @return false if it had been given back
     */
    boolean giveBack() {
      boolean held = released.compareAndSet(false, true);
      if (held) {
        taken.forEach(Semaphore::release);
      }
      return held;
    }
  }

  /** Takes a slot if there is one at once; null if not, as always where workers fetch the work. */
  @Nullable Slot tryTake(String kind, String provider) {
    Semaphore ofProvider = providers.get(provider);
    if (ofProvider == null) {
      return null;
    }
    List<Semaphore> wanted = List.of(node, kinds.get(kind), ofProvider);
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.get(i).tryAcquire()) {
        wanted.subList(0, i).forEach(Semaphore::release);
        return null;
      }
    }
    if (closed) { // looked at while holding a slot, which awaitIdle waits for
      wanted.forEach(Semaphore::release);
      return null;
    }
    return new Slot(wanted);
  }

  /** From now on no slot is given. */
  void close() {
    closed = true;
  }

  /**
   * From now on nothing leaves any more, under no slot. Whoever has found its slot open before this
   * returns is to be seen by who has called it.
   */
  void shut() {
    shut = true;
  }

  /** Once closed: waits until every slot was given back; whether that came within the time. */
  boolean awaitIdle(Duration atMost) throws InterruptedException {
    return node.tryAcquire(total, atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  int free() {
    return node.availablePermits();
  }

  boolean halfFree() {
    return free() >= total / 2;
  }

  /** Kinds that have a slot of their own left. */
  List<String> kindsWithRoom() {
    return withRoom(kinds);
  }

  /** Providers that have a slot of their own left. */
  List<String> providersWithRoom() {
    return withRoom(providers);
  }

  /** Whether a bound is reached, so that work may wait for a slot alone. */
  boolean anyFull() {
    return free() == 0
        || kindsWithRoom().size() < kinds.size()
        || providersWithRoom().size() < providers.size();
  }

  private static List<String> withRoom(Map<String, Semaphore> bounds) {
    return bounds.entrySet().stream()
        .filter(bound -> bound.getValue().availablePermits() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }
}
