package dev.onejob.engine;

import dev.onejob.domain.JobId;
import dev.onejob.store.Repeats;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How often keys were sent again, counted here and written down now and then: one write for
 * thousands of repeats. What a node has counted since then dies with it.
 */
final class RepeatCounts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatCounts.class);

  /** Most jobs counted between two writes, about 2 MB; repeats of further ones go uncounted. */
  private static final int JOBS_MAX = 20_000;

  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final Repeats store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Pass pass = new Pass("count", INTERVAL, this::writeOnce);
  private Map<JobId, Long> counts = new HashMap<>(); // guarded by lock

  RepeatCounts(Repeats store) {
    this.store = store;
  }

  void start() {
    pass.start();
  }

  void count(JobId job) {
    lock.lock();
    try {
      if (counts.size() < JOBS_MAX || counts.containsKey(job)) {
        counts.merge(job, 1L, Long::sum);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes down what was counted since the last time. */
  void writeOnce() {
    Map<JobId, Long> counted = taken();
    if (counted.isEmpty()) {
      return;
    }
    try {
      store.add(counted);
    } catch (StoreException e) {
      if (!e.blamesTheRow()) {
        throw e;
      }
      counted.forEach(this::alone); // a job was removed at this very moment
    }
  }

  private void alone(JobId job, Long count) {
    try {
      store.add(Map.of(job, count));
    } catch (StoreException e) {
      LOG.debug("{} repeats of {} are not kept: {}", count, job, e.toString());
    }
  }

  /** Writes down the rest; a node that closes while its database is away leaves it. */
  @Override
  public void close() {
    pass.close();
    try {
      writeOnce();
    } catch (StoreException e) {
      LOG.info("the last repeats are not counted: {}", e.toString());
    }
  }

  private Map<JobId, Long> taken() {
    lock.lock();
    try {
      Map<JobId, Long> taken = counts;
      counts = new HashMap<>();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
