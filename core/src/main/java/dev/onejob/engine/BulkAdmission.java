package dev.onejob.engine;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import dev.onejob.store.Admissions;
import dev.onejob.store.NewJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call that admits many: what has been checked is written, a chunk at a time, while more is
 * checked. Chunks overtake each other; a key that comes again is written after all that came first.
 *
 * <p>For one thread, which is not to leave before what is on its way has been written: see {@link
 * #close}. An interrupt is kept, and ends no wait.
 *
 * @param <C> what was checked
 */
final class BulkAdmission<C> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkAdmission.class);

  private final Writes writes;
  private final List<Item<C>> all = new ArrayList<>();
  private final Set<OwnerKey> keys = new HashSet<>();
  private final List<Item<C>> again = new ArrayList<>();
  private final List<Chunk> written = new ArrayList<>();
  private Chunk chunk = new Chunk();

  BulkAdmission(Writes writes) {
    this.writes = writes;
  }

  private record OwnerKey(Owner owner, IntentKey key) {}

  /** What shares a transaction; its answers come together. */
  private static final class Chunk {
    private final List<NewJob> jobs = new ArrayList<>();
    private long bytes;
    private @Nullable FutureTask<List<Admissions.Bound>> answers;

    boolean hasRoomFor(NewJob job) {
      return jobs.size() < Limits.BATCH_MAX && bytes + job.input().length <= Limits.BATCH_BYTES_MAX;
    }

    int add(NewJob job) {
      jobs.add(job);
      bytes += job.input().length;
      return jobs.size() - 1;
    }
  }

  private static final class Item<C> {
    private final C checked;
    private final @Nullable NewJob job;
    private @Nullable Chunk chunk;
    private int number;

    Item(C checked, @Nullable NewJob job) {
      this.checked = checked;
      this.job = job;
    }
  }

  /**
   * One more.
   *
   * @param job to be admitted; null: there is none
   */
  void add(C checked, @Nullable NewJob job) {
    Item<C> item = new Item<>(checked, job);
    all.add(item);
    if (job == null) {
      return;
    }
    if (keys.add(new OwnerKey(job.owner(), job.key()))) {
      gather(item, job);
    } else {
      again.add(item);
    }
  }

  private void gather(Item<C> item, NewJob job) {
    if (!chunk.hasRoomFor(job)) {
      write();
    }
    item.chunk = chunk;
    item.number = chunk.add(job);
  }

  private void write() {
    List<NewJob> jobs = chunk.jobs;
    if (jobs.isEmpty()) {
      return;
    }
    FutureTask<List<Admissions.Bound>> task = new FutureTask<>(() -> writes.admitAll(jobs));
    chunk.answers = task;
    Thread.ofVirtual().name("onejob-bulk").start(task);
    written.add(chunk);
    chunk = new Chunk();
  }

  /**
   * Waits until all is written.
   *
   * @param answers told of each in turn, with what its key is bound to if it had a job
   * @throws dev.onejob.store.StoreException if some could not be written
   */
  void end(BiConsumer<C, Admissions.@Nullable Bound> answers) {
    write();
    written.forEach(BulkAdmission::bound);
    for (Item<C> item : again) {
      if (item.job != null) {
        gather(item, item.job);
      }
    }
    write();
    for (Item<C> item : all) {
      answers.accept(item.checked, item.chunk == null ? null : bound(item.chunk).get(item.number));
    }
  }

  private static List<Admissions.Bound> bound(Chunk chunk) {
    FutureTask<List<Admissions.Bound>> answers = chunk.answers;
    if (answers == null) {
      throw new IllegalStateException("a chunk that was not written has no answers");
    }
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answers.get();
        } catch (InterruptedException e) { // what is on its way is written all the same
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException e
        ? e
        : new IllegalStateException("a write throws nothing checked", cause);
  }

  /**
   * Waits for what is still being written; what fails now was told of, or follows another fault.
   */
  @Override
  public void close() {
    for (Chunk one : written) {
      try {
        bound(one);
      } catch (RuntimeException | Error e) {
        LOG.debug("a chunk of {} was not written", one.jobs.size(), e);
      }
    }
  }
}
