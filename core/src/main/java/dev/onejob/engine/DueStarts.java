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
import java.util.LinkedHashMap;
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

  /** How long it is remembered that a job was let be; and of how many, the last ones. */
  private static final long MEMORY_NANOS = Duration.ofSeconds(5).toNanos();

  private static final int MEMORY_MAX = 4_096;

  private final WorkReader reader;
  private final Writes writes;
  private final Departures departures;
  private final Predicate<String> isClosed;
  private final Map<JobId, Long> passed = // since when
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobId, Long> eldest) {
          return size() > MEMORY_MAX;
        }
      };

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
    /** Which it is. */
    Found found();

    /**
     * It is started.
     *
     * @param since a moment of the monotonic clock, not after its lease was given
     */
    record Started(Found found, Leaving leaving, Answer.Started answer, long since)
        implements Became {}

    /** It is to be started by itself. */
    record ByItself(Found found, Leaving leaving) implements Became {}

    /** It is large, or could not be read: it is to be read by itself, and started. */
    record Unread(Found found) implements Became {}

    /** It stays due, or another node has it. */
    record Left(Found found) implements Became {}

    /**
     * Nobody knows whether it is started.
     *
     * @param since a moment of the monotonic clock from before
     */
    record Lost(Found found, Leaving leaving, long since) implements Became {}
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
        became.add(new Became.ByItself(one, leaving(one, work)));
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
    passed.values().removeIf(then -> since - then >= MEMORY_NANOS);
    List<Optional<Answer.Started>> answers;
    try {
      answers = writes.take(leaving.stream().map(Leaving::request).toList());
    } catch (RuntimeException | Error e) { // also Errors: it may be in the reading of the answer
      LOG.warn("{} due jobs could not be started together: {}", found.size(), e.toString());
      return failed(found, leaving, since, e);
    }
    List<Became> became = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      Found one = found.get(i);
      Answer.Started answer = answers.get(i).orElse(null);
      if (answer == null) {
        became.add(left(one, since));
      } else {
        passed.remove(one.job());
        became.add(new Became.Started(one, leaving.get(i), answer, since));
      }
    }
    return became;
  }

  /** One bad row fails them all: each goes by itself the next time, and harms no other. */
  private List<Became> failed(
      List<Found> found, List<Leaving> leaving, long since, Throwable failure) {
    boolean nothing =
        StartWriter.nothingWasDone(failure) || failure instanceof StoreException.NotConnected;
    List<Became> became = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      Found one = found.get(i);
      became.add(nothing ? left(one, since) : new Became.Lost(one, leaving.get(i), since));
    }
    return became;
  }

  private Became left(Found found, long since) {
    passed.putIfAbsent(found.job(), since);
    return new Became.Left(found);
  }
}
