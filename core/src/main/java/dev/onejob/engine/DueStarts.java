package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.StartCause;
import dev.onejob.engine.Runs.Leaving;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts what a look has found, in one transaction that waits for nobody. Of one thread.
 *
 * <p>What it does not start has mostly been taken by another node, which has found the same. So it
 * is let be at first; what is found again after a moment is started by itself, the long way if need
 * be.
 */
final class DueStarts {
  private static final Logger LOG = LoggerFactory.getLogger(DueStarts.class);

  /** In which whoever has taken a job has told the database. */
  private static final long MOMENT_NANOS = Duration.ofMillis(100).toNanos();

  /** How long it is remembered that a job was let be; and of how many, more than look is shown. */
  private static final long MEMORY_NANOS = Duration.ofSeconds(30).toNanos();

  private static final int MEMORY_MAX = 4_096;

  private final WorkReader reader;
  private final Writes writes;
  private final Departures departures;
  private final Predicate<String> isClosed;
  private final Map<JobId, Long> passed = new HashMap<>(); // since when

  /**
   * Makes one.
   *
   * @param isClosed whether the circuit of a provider is closed, as far as is known here
   */
  DueStarts(WorkReader reader, Writes writes, Departures departures, Predicate<String> isClosed) {
    this.reader = reader;
    this.writes = writes;
    this.departures = departures;
    this.isClosed = isClosed;
  }

  /** A job that was found due, and the slot that it has. */
  record Found(JobId job, Kind kind, String provider, Slots.Slot slot) {}

  /** What became of one. Its slot is whose it is handed to. */
  sealed interface Became {
    /**
     * It is started.
     *
     * @param since a moment of the monotonic clock, not after its lease was given
     */
    record Started(Leaving leaving, Answer answer, long since) implements Became {}

    /** It is to be started by itself. */
    record ByItself(Leaving leaving) implements Became {}

    /** It is large, or could not be read: it is to be read by itself, and started. */
    record Unread(Found found) implements Became {}

    /** It stays due, or another node has it. */
    record Left(Found found) implements Became {}

    /**
     * Nobody knows whether it is started.
     *
     * @param since a moment of the monotonic clock from before
     */
    record Lost(Leaving leaving, long since) implements Became {}
  }

  /** Starts them as far as it can be done at once; what became of each. */
  List<Became> start(List<Found> found) {
    Map<JobId, Work> works = reader.small(found.stream().map(Found::job).toList());
    List<Became> became = new ArrayList<>(found.size());
    List<Found> together = new ArrayList<>();
    List<Leaving> leaving = new ArrayList<>();
    for (Found one : found) {
      Work work = works.get(one.job());
      if (work == null) {
        became.add(new Became.Unread(one));
      } else if (goesByItself(one, work)) {
        became.add(new Became.ByItself(leaving(one, work)));
      } else {
        together.add(one);
        leaving.add(leaving(one, work));
      }
    }
    if (!together.isEmpty()) {
      became.addAll(take(together, leaving));
    }
    return became;
  }

  /** A start at a fallback, and the trial of a circuit, need a look at more than the row. */
  private boolean goesByItself(Found found, Work work) {
    Long since = passed.get(found.job());
    return !work.route().getFirst().equals(found.provider())
        || !isClosed.test(found.provider())
        || (since != null && Clocks.nanos() - since >= MOMENT_NANOS);
  }

  private Leaving leaving(Found found, Work work) {
    MoveRequest request = departures.depart(work, found.provider(), StartCause.DISPATCH);
    return new Leaving(work, found.kind(), found.provider(), request, found.slot());
  }

  private List<Became> take(List<Found> found, List<Leaving> leaving) {
    long since = Clocks.nanos();
    List<Optional<Answer>> answers;
    try {
      answers = writes.take(leaving.stream().map(Leaving::request).toList());
    } catch (RuntimeException | Error e) { // also Errors: it may be in the reading of the answer
      LOG.warn("{} due jobs could not be started together: {}", found.size(), e.toString());
      boolean nothing = StartWriter.nothingWasDone(e) || e instanceof StoreException.NotConnected;
      return nothing
          ? found.stream().<Became>map(Became.Left::new).toList()
          : leaving.stream().<Became>map(one -> new Became.Lost(one, since)).toList();
    }
    passed.values().removeIf(then -> since - then >= MEMORY_NANOS);
    List<Became> became = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      Found one = found.get(i);
      Answer answer = answers.get(i).orElse(null);
      if (answer == null) {
        remember(one.job(), since);
        became.add(new Became.Left(one));
      } else {
        passed.remove(one.job());
        became.add(new Became.Started(leaving.get(i), answer, since));
      }
    }
    return became;
  }

  private void remember(JobId job, long since) {
    if (passed.size() < MEMORY_MAX) {
      passed.putIfAbsent(job, since);
    }
  }
}
