package dev.onejob.engine;

import dev.onejob.domain.Limits;
import dev.onejob.store.Admissions;
import dev.onejob.store.NewJob;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One call that admits many: what has been checked is written, a chunk at a time, while more is
 * checked.
 *
 * @param <C> what was checked
 */
final class BulkAdmission<C> implements AutoCloseable {
  private final Writes writes;
  private final ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();
  private final List<C> all = new ArrayList<>();
  private final List<@Nullable Place> places = new ArrayList<>();
  private List<NewJob> chunk = new ArrayList<>();
  private Pending pending = new Pending();
  private long bytes;

  BulkAdmission(Writes writes) {
    this.writes = writes;
  }

  /** A chunk on its way; its answers come together. */
  private static final class Pending {
    @Nullable Future<List<Admissions.Bound>> answers;
  }

  private record Place(Pending chunk, int number) {}

  /**
   * One more.
   *
   * @param job to be admitted; null: there is none
   */
  void add(C checked, @Nullable NewJob job) {
    all.add(checked);
    if (job == null) {
      places.add(null);
      return;
    }
    if (bytes + job.input().length > Limits.BATCH_BYTES_MAX) {
      write();
    }
    places.add(new Place(pending, chunk.size()));
    chunk.add(job);
    bytes += job.input().length;
    if (chunk.size() >= Limits.BATCH_MAX) {
      write();
    }
  }

  private void write() {
    if (chunk.isEmpty()) {
      return;
    }
    List<NewJob> jobs = chunk;
    pending.answers = writers.submit(() -> writes.admitAll(jobs));
    chunk = new ArrayList<>();
    pending = new Pending();
    bytes = 0;
  }

  /**
   * Waits until all is written.
   *
   * @param answers told of each in turn, with what its key is bound to if it had a job
   */
  void end(BiConsumer<C, Admissions.@Nullable Bound> answers) {
    write();
    for (int i = 0; i < all.size(); i++) {
      answers.accept(all.get(i), bound(places.get(i)));
    }
  }

  private static Admissions.@Nullable Bound bound(@Nullable Place place) {
    if (place == null || place.chunk().answers == null) {
      return null;
    }
    Future<List<Admissions.Bound>> answers = place.chunk().answers;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answers.get().get(place.number());
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

  /** Waits for what is still being written. */
  @Override
  public void close() {
    writers.close();
  }
}
