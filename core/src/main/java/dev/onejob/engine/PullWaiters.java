package dev.onejob.engine;

import dev.onejob.domain.Limits;
import dev.onejob.store.WorkerClaims;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Workers that wait for work on this node. One look serves all of them: who came first is told
 * first, and goes to claim; nobody else asks the database meanwhile.
 */
final class PullWaiters {
  /** Most that wait at once: each holds a connection of a worker and a thread, nothing more. */
  static final int WAITERS_MAX = 1_024;

  private final WorkerClaims claims;
  private final List<String> providers;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Place> places = new ArrayList<>(); // guarded by lock; who came first is first
  private volatile boolean closed;

  PullWaiters(WorkerClaims claims, List<String> providers) {
    this.claims = claims;
    this.providers = providers;
  }

  /** One that waits. */
  static final class Place {
    private final Access access;
    private final List<String> kinds;
    private final int count;
    private final Semaphore signals = new Semaphore(0);

    private Place(Claim claim) {
      this.access = claim.access();
      this.kinds = claim.kinds();
      this.count = claim.count();
    }

    /** Waits to be told that there may be work, for at most that long. */
    void await(Duration atMost) throws InterruptedException {
      if (signals.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        signals.drainPermits();
      }
    }

    private boolean suits(WorkerClaims.Waiting work) {
      return kinds.contains(work.kind()) && access.covers(work.owner());
    }
  }

  /** A place; null if there is none left. From now on nothing is missed. */
  @Nullable Place enter(Claim claim) {
    lock.lock();
    try {
      if (places.size() >= WAITERS_MAX) {
        return null;
      }
      Place place = new Place(claim);
      places.add(place);
      return place;
    } finally {
      lock.unlock();
    }
  }

  void leave(Place place) {
    lock.lock();
    try {
      places.remove(place);
    } finally {
      lock.unlock();
    }
  }

  private List<Place> present() {
    lock.lock();
    try {
      return List.copyOf(places);
    } finally {
      lock.unlock();
    }
  }

  /** One look for all who wait. */
  void lookOnce() {
    List<Place> present = present();
    if (present.isEmpty() || providers.isEmpty()) {
      return;
    }
    List<String> kinds = present.stream().flatMap(p -> p.kinds.stream()).distinct().toList();
    List<WorkerClaims.Waiting> work =
        new ArrayList<>(claims.waiting(kinds, providers, Limits.BATCH_MAX));
    for (Place place : present) {
      List<WorkerClaims.Waiting> its =
          work.stream().filter(place::suits).limit(place.count).toList();
      its.forEach(work::remove);
      if (!its.isEmpty()) {
        place.signals.release();
      }
    }
  }

  boolean closed() {
    return closed;
  }

  /** Sends everybody home. */
  void close() {
    closed = true;
    present().forEach(place -> place.signals.release());
  }
}
