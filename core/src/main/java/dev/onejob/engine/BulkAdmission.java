package dev.onejob.engine;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Owner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call that admits many, a chunk at a time, several at once. Chunks overtake each other; a key
 * that comes again is admitted after all that came first.
 *
 * <p>For one thread, which is not to leave before what is on its way has been written: see {@link
 * #close}. An interrupt is kept, and ends no wait.
 */
final class BulkAdmission implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkAdmission.class);

  /** Chunks at a time: one is read while two are written. */
  private static final int AT_ONCE_MAX = 3;

  /** Chunks of a call that is not large: enough for reading and writing at the same time. */
  private static final int CHUNKS_MIN = 4;

  private final Function<List<Submission>, List<Admitted>> admit;
  private final List<Item> all = new ArrayList<>();
  private final Set<OwnerKey> keys = new HashSet<>();
  private final List<Item> again = new ArrayList<>();
  private final List<Chunk> begun = new ArrayList<>();
  private final Semaphore places = new Semaphore(AT_ONCE_MAX, true);
  private final int chunkMax;
  private Chunk chunk = new Chunk();

  /**
   * Makes one.
   *
   * @param admit gives an answer for each of a chunk, in their order; is called by several threads
   * @param submissions how many are to come
   */
  BulkAdmission(Function<List<Submission>, List<Admitted>> admit, int submissions) {
    this.admit = admit;
    this.chunkMax =
        Math.clamp(Math.ceilDiv(submissions, CHUNKS_MIN), Limits.BATCH_MAX, Limits.BULK_MAX);
  }

  private record OwnerKey(Owner owner, IntentKey key) {
    static OwnerKey of(Submission submission) {
      return new OwnerKey(submission.owner(), submission.key());
    }
  }

  /** What shares a transaction; its answers come together. */
  private static final class Chunk {
    private final List<Submission> submissions = new ArrayList<>();
    private long bytes;
    private @Nullable FutureTask<List<Admitted>> answers;

    boolean hasRoomFor(Submission submission, int chunkMax) {
      return submissions.size() < chunkMax
          && bytes + submission.input().length <= Limits.BATCH_BYTES_MAX;
    }

    int add(Submission submission) {
      submissions.add(submission);
      bytes += submission.input().length;
      return submissions.size() - 1;
    }
  }

  private static final class Item {
    private final Submission submission;
    private @Nullable Chunk chunk;
    private int number;

    Item(Submission submission) {
      this.submission = submission;
    }
  }

  /** One more. */
  void add(Submission submission) {
    Item item = new Item(submission);
    all.add(item);
    if (keys.add(OwnerKey.of(submission))) {
      gather(item);
    } else {
      again.add(item);
    }
  }

  private void gather(Item item) {
    if (!chunk.hasRoomFor(item.submission, chunkMax)) {
      begin();
    }
    item.chunk = chunk;
    item.number = chunk.add(item.submission);
  }

  private void begin() {
    List<Submission> submissions = chunk.submissions;
    if (submissions.isEmpty()) {
      return;
    }
    FutureTask<List<Admitted>> task = new FutureTask<>(() -> inTurn(submissions));
    chunk.answers = task;
    Thread.ofVirtual().name("onejob-bulk").start(task);
    begun.add(chunk);
    chunk = new Chunk();
  }

  private List<Admitted> inTurn(List<Submission> submissions) {
    places.acquireUninterruptibly();
    try {
      return admit.apply(submissions);
    } finally {
      places.release();
    }
  }

  /**
   * Waits until all is written.
   *
   * @return an answer for each, in the order in which they were added
   * @throws dev.onejob.store.StoreException if some could not be written
   */
  List<Admitted> end() {
    begin();
    begun.forEach(BulkAdmission::answers);
    again.forEach(this::gather);
    begin();
    return all.stream()
        .map(item -> answers(Objects.requireNonNull(item.chunk)).get(item.number))
        .toList();
  }

  private static List<Admitted> answers(Chunk chunk) {
    FutureTask<List<Admitted>> answers = chunk.answers;
    if (answers == null) {
      throw new IllegalStateException("a chunk that was not begun has no answers");
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
    for (Chunk one : begun) {
      try {
        answers(one);
      } catch (RuntimeException | Error e) {
        LOG.debug("a chunk of {} was not written", one.submissions.size(), e);
      }
    }
  }
}
