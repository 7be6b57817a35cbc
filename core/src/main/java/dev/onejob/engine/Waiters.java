package dev.onejob.engine;

import dev.onejob.domain.JobId;
import dev.onejob.store.JobQueries;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait for the end of jobs. An end on this node wakes them at once; an end elsewhere
 * is found by one query for all of them, a few times a second.
 */
final class Waiters implements AutoCloseable {
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);

  /** One waiting caller; several may wait for one job. */
  private static final class Place {
    final CountDownLatch ended = new CountDownLatch(1);
    int callers;
  }

  private final JobQueries queries;
  private final ConcurrentMap<JobId, Place> places = new ConcurrentHashMap<>();
  private final Set<JobId> here = ConcurrentHashMap.newKeySet();
  private final Pass looking;

  Waiters(JobQueries queries) {
    this.queries = queries;
    this.looking = new Pass("waiters", LOOK_INTERVAL, this::lookOnce);
  }

  void start() {
    looking.start();
  }

  /** Whether the job ended within that time. */
  boolean awaitEnd(JobId job, Duration atMost) throws InterruptedException {
    Place place = places.compute(job, (id, there) -> joined(there == null ? new Place() : there));
    try {
      if (!here.contains(job)) {
        looking.signal();
      }
      return place.ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      places.computeIfPresent(job, (id, there) -> left(there));
    }
  }

  private static Place joined(Place place) {
    place.callers++;
    return place;
  }

  private static @Nullable Place left(Place place) {
    place.callers--;
    return place.callers == 0 ? null : place;
  }

  /** This node is at work on the job and will tell of its end: nobody needs to look at once. */
  void arrives(JobId job) {
    here.add(job);
  }

  /**
   * This node has done its work on the job. Who came to wait after the end was told and before
   * this, did not ask for a look; so there is one now.
   */
  void leaves(JobId job) {
    here.remove(job);
    Place place = places.get(job);
    if (place != null && place.ended.getCount() > 0) {
      looking.signal();
    }
  }

  /** The job has ended, on this node. */
  void ended(JobId job) {
    Place place = places.get(job);
    if (place != null) {
      place.ended.countDown();
    }
  }

  /** A job may have ended: look soon. */
  void look() {
    if (!places.isEmpty()) {
      looking.signal();
    }
  }

  private void lookOnce() {
    List<JobId> awaited = List.copyOf(places.keySet());
    if (!awaited.isEmpty()) {
      Set<JobId> over = queries.ended(awaited);
      over.forEach(this::ended);
    }
  }

  @Override
  public void close() {
    looking.close();
  }
}
