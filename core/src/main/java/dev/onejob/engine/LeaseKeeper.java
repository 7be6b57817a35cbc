package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.store.Leases;
import dev.onejob.store.Leases.Renewal;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of this node's attempts: one statement for all of them at every heartbeat, from
 * one thread of the operating system's and over one connection, neither of which does anything
 * else. Neither a pool in use to its end nor a machine full of virtual threads holds it up.
 *
 * <p>A second loop touches no database. It finds the leases that have not been renewed in time by
 * this node's monotonic clock, also while the first one hangs on a line that is dead.
 */
final class LeaseKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  /** Looks at the clock in one heartbeat; a renewal that failed is tried again at the next. */
  private static final int TICKS = 4;

  private final Leases store;
  private final EngineConfig.Holding holding;
  private final Map<AttemptId, Lease> kept = new ConcurrentHashMap<>();
  private final Pass renewing;
  private final Pass watching;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition noneLeft = lock.newCondition();
  // The next three are only touched by the renewing pass.
  private Leases.@Nullable Line line;
  private boolean soon = true;
  private long renewedAt;

  LeaseKeeper(Leases store, EngineConfig.Holding holding) {
    this.store = store;
    this.holding = holding;
    Duration tick = holding.heartbeat().dividedBy(TICKS);
    this.renewing = new Pass("leases", tick, this::renewIfDue, Thread.ofPlatform().daemon(true));
    this.watching = new Pass("lease-watch", tick, this::watchOnce);
  }

  void start() {
    renewing.start();
    watching.start();
  }

  /** Renews this lease from now on, until it is released or lost. */
  void keep(Lease lease) {
    kept.put(lease.attempt(), lease);
  }

  /** Lets go of the lease: its attempt has ended, or is in doubt. */
  void release(Lease lease) {
    kept.remove(lease.attempt(), lease);
    if (kept.isEmpty()) {
      lock.lock();
      try {
        noneLeft.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until no lease is kept any more; whether that came within the time. */
  boolean awaitNone(Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lock();
    try {
      while (!kept.isEmpty()) {
        if (left <= 0) {
          return false;
        }
        left = noneLeft.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void renewIfDue() {
    Duration tick = holding.heartbeat().dividedBy(TICKS);
    if (soon || Clocks.since(renewedAt).plus(tick).compareTo(holding.heartbeat()) > 0) {
      renewOnce();
    }
  }

  private void renewOnce() {
    soon = true; // until it has succeeded
    List<Lease> leases = List.copyOf(kept.values());
    long sent = Clocks.nanos();
    Map<AttemptId, Renewal> renewals = renew(leases);
    boolean busy = false;
    for (Lease lease : leases) {
      switch (renewals.getOrDefault(lease.attempt(), Renewal.REFUSED)) {
        case RENEWED -> lease.renewed(sent);
        case BUSY -> busy = true;
        case REFUSED -> lose(lease, "its renewal under the token was refused");
      }
    }
    renewedAt = sent;
    soon = busy;
  }

  /** A line that was good at the last heartbeat may have been cut since: then once more, anew. */
  private Map<AttemptId, Renewal> renew(List<Lease> leases) {
    List<Leases.Held> held = leases.stream().map(Lease::held).toList();
    Leases.Line old = line;
    if (old != null) {
      try {
        return old.renew(held, holding.lease());
      } catch (StoreException e) {
        LOG.info("the line of the leases is broken and will be opened anew: {}", e.getMessage());
        drop(old);
      }
    }
    Leases.Line fresh = store.open(holding.heartbeat().dividedBy(2));
    line = fresh;
    try {
      return fresh.renew(held, holding.lease());
    } catch (StoreException e) {
      drop(fresh);
      throw e;
    }
  }

  private void drop(Leases.Line broken) {
    line = null;
    try {
      broken.close();
    } catch (StoreException e) {
      LOG.debug("a broken line did not close in order", e);
    }
  }

  private void watchOnce() {
    for (Lease lease : kept.values()) {
      if (!lease.lasts()) {
        lose(lease, "it was not renewed for " + holding.lease().toMillis() + " ms");
      }
    }
  }

  private void lose(Lease lease, String why) {
    release(lease);
    lease.lose(why);
  }

  @Override
  public void close() {
    watching.close();
    renewing.close();
    Leases.Line last = line; // the pass has ended, or hangs on it
    if (last != null) {
      drop(last);
    }
  }
}
