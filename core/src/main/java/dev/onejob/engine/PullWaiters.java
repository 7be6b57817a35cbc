package dev.onejob.engine;

import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import dev.onejob.store.DueJobs;
import dev.onejob.store.WorkerClaims;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
  private final DueJobs dueJobs;
  private final List<String> providers;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Place> places = new ArrayList<>(); // guarded by lock; who came first is first
  private volatile boolean closed;

  PullWaiters(WorkerClaims claims, DueJobs dueJobs, List<String> providers) {
    this.claims = claims;
    this.dueJobs = dueJobs;
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

  /** Its claim came back empty: whoever waits behind it is told before it is told again. */
  void stepBack(Place place) {
    lock.lock();
    try {
      if (places.remove(place)) {
        places.add(place);
      }
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

  boolean any() {
    lock.lock();
    try {
      return !places.isEmpty();
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
    List<WorkerClaims.Waiting> work = waiting(present);
    for (Place place : present) {
      List<WorkerClaims.Waiting> its =
          work.stream().filter(place::suits).limit(place.count).toList();
      its.forEach(work::remove);
      if (!its.isEmpty()) {
        place.signals.release();
      }
    }
  }

  private List<WorkerClaims.Waiting> waiting(List<Place> present) {
    List<String> kinds = present.stream().flatMap(p -> p.kinds.stream()).distinct().toList();
    List<WorkerClaims.Waiting> work =
        new ArrayList<>(claims.offered(kinds, providers, Limits.BATCH_MAX));
    for (String kind : kinds) {
      List<Place> its = present.stream().filter(p -> p.kinds.contains(kind)).toList();
      due(kind, its).forEach(due -> work.add(new WorkerClaims.Waiting(kind, due.owner())));
    }
    return work;
  }

  /**
   * Each kind is looked for by itself, and so is each owner whom somebody serves alone: the flood
   * of another hides nothing from those who may not have it.
   */
  private Set<DueJobs.Due> due(String kind, List<Place> its) {
    int wanted = Math.min(Limits.BATCH_MAX, its.stream().mapToInt(p -> p.count).sum());
    List<Owner> owners =
        its.stream().map(p -> p.access.owner()).filter(Objects::nonNull).distinct().toList();
    DueJobs.Look look = new DueJobs.Look(List.of(kind), providers, List.of(), List.of(), wanted);
    Set<DueJobs.Due> due = new LinkedHashSet<>();
    if (!owners.isEmpty()) {
      due.addAll(dueJobs.findOf(owners, look));
    }
    if (its.stream().anyMatch(p -> p.access.owner() == null)) {
      due.addAll(dueJobs.find(look));
    }
    return due;
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
