package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Mark;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.engine.Runs.Leaving;
import dev.onejob.engine.StartWriter.Written;
import dev.onejob.store.DueJobs;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.JobQueries;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts attempts on this node: of jobs just admitted, of jobs found due, and on demand. It takes
 * only what it has slots for and kinds it knows, and what it claims it sends at once.
 */
final class Dispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final DueJobs dueJobs;
  private final JobQueries queries;
  private final Chronicle chronicle;
  private final StartWriter writer;
  private final Runs runs;
  private final Waiters waiters;
  private final Slots slots;
  private final ProviderHealth health;
  private final Departures departures;
  private final Map<String, Kind> kinds;
  private final Map<String, EngineConfig.ProviderSlot> providers;
  private final Queues queues = new Queues();
  private final Turns turns = new Turns();
  private final Set<JobId> departing = ConcurrentHashMap.newKeySet();
  private final Refused refused = new Refused();
  private final Set<String> contracted;
  private volatile boolean closed;

  Dispatcher(
      EngineConfig config,
      Stores stores,
      Chronicle chronicle,
      StartWriter writer,
      Runs runs,
      Waiters waiters,
      Slots slots,
      ProviderHealth health) {
    this.dueJobs = stores.dueJobs();
    this.chronicle = chronicle;
    this.queries = stores.queries();
    this.writer = writer;
    this.runs = runs;
    this.waiters = waiters;
    this.slots = slots;
    this.health = health;
    this.departures = new Departures(config);
    this.kinds = config.kinds().stream().collect(Collectors.toMap(Kind::name, Function.identity()));
    this.providers = config.providers();
    this.contracted = config.demands().keySet();
  }

  boolean knowsContract(String kind) {
    return contracted.contains(kind);
  }

  @Nullable Kind kind(String name) {
    return kinds.get(name);
  }

  List<String> kindNames() {
    return List.copyOf(kinds.keySet());
  }

  boolean knowsProvider(String name) {
    return providers.containsKey(name);
  }

  /** Whether workers fetch the work of that provider. */
  boolean isPulled(String name) {
    EngineConfig.ProviderSlot provider = providers.get(name);
    return provider != null && provider.pulled();
  }

  /** A job was admitted here: it starts at once if there is a slot; whether there was one. */
  boolean offer(Work work) {
    Kind kind = Objects.requireNonNull(kinds.get(work.kind()));
    String provider = work.route().getFirst();
    boolean waits = closed || queues.isWaiting(kind.name(), provider);
    Slots.Slot slot = waits ? null : tryTakeByItself(kind.name(), provider);
    if (slot == null) {
      queues.joined(kind.name(), provider);
      return false;
    }
    departing.add(work.id());
    launch(work.id(), () -> depart(work, kind, provider, slot, StartCause.DISPATCH));
    return true;
  }

  /** What one look came to. */
  enum Look {
    /** Jobs were taken; there may be more. */
    TOOK,
    /** There may be due jobs that only lack a slot. */
    LACKS_SLOTS,
    NOTHING_DUE
  }

  /** One look for due jobs; takes as many as there are slots. */
  Look lookOnce() {
    int room = Math.min(slots.free(), Limits.BATCH_MAX);
    List<String> kindsWithRoom = slots.kindsWithRoom();
    List<String> providersWithRoom =
        slots.providersWithRoom().stream().filter(health::passable).toList();
    if (room == 0 || kindsWithRoom.isEmpty() || providersWithRoom.isEmpty() || closed) {
      return closed ? Look.NOTHING_DUE : Look.LACKS_SLOTS;
    }
    long from = Clocks.nanos();
    List<Due> due =
        dueJobs.find(
            new DueJobs.Look(
                kindsWithRoom, providersWithRoom, turns.turns(), refused.and(departing), room));
    chronicle.looked(from, due.size());
    if (due.isEmpty()) {
      queues.empty(kindsWithRoom, providersWithRoom);
    }
    if (due.stream().filter(this::take).count() > 0) {
      return Look.TOOK;
    }
    return slots.anyFull() ? Look.LACKS_SLOTS : Look.NOTHING_DUE;
  }

  private boolean take(Due due) {
    String provider = due.lane().provider();
    Kind kind = Objects.requireNonNull(kinds.get(due.lane().kind()));
    if (!knowsProvider(provider) || departing.contains(due.id())) {
      return false;
    }
    Slots.Slot slot = tryTakeByItself(kind.name(), provider);
    if (slot == null) {
      queues.joined(kind.name(), provider);
      return false;
    }
    turns.served(due);
    departing.add(due.id());
    launch(due.id(), () -> departFound(due.id(), kind, provider, slot, StartCause.DISPATCH));
    return true;
  }

  /** Starts an attempt beside one that runs, if there is a slot and the guard allows it. */
  void race(JobId job, Kind kind, String provider) {
    Slots.Slot slot = departing.contains(job) ? null : tryTakeByItself(kind.name(), provider);
    if (slot == null) {
      return; // it stays ripe
    }
    departing.add(job);
    launch(job, () -> departFound(job, kind, provider, slot, StartCause.RACE));
  }

  private void launch(JobId job, Runnable departure) {
    waiters.arrives(job);
    Thread.ofVirtual()
        .name("onejob-" + job)
        .start(
            () -> {
              try {
                departure.run();
              } finally {
                waiters.leaves(job);
              }
            });
  }

  private void departFound(
      JobId job, Kind kind, String provider, Slots.Slot slot, StartCause cause) {
    Work work = null;
    try {
      work = queries.work(job).orElse(null);
      if (work == null) {
        LOG.warn("{} was due and is no longer there", job);
      }
    } catch (RuntimeException e) {
      LOG.warn("{} could not be read, it stays due: {}", job, e.toString());
    } finally {
      if (work == null) { // also after an Error
        departing.remove(job);
        slot.release();
      }
    }
    if (work != null) {
      depart(work, kind, provider, slot, cause);
    }
  }

  private void depart(Work work, Kind kind, String provider, Slots.Slot slot, StartCause cause) {
    MoveRequest request = departures.depart(work, provider, cause);
    Written written = null;
    try {
      written = started(kind, request);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("{} could not be started, it stays due: {}", work.id(), e.toString());
    } finally {
      if (written == null) { // also after an Error
        departing.remove(work.id());
        slot.release();
      }
    }
    if (written != null) {
      goOn(new Leaving(work, kind, provider, request, slot), written);
    }
  }

  private Written started(Kind kind, MoveRequest request) throws InterruptedException {
    long since = Clocks.nanos();
    try {
      return writer.write(kind.name(), request);
    } catch (RuntimeException | Error e) { // also Errors: it may be in the reading of the answer
      if (StartWriter.nothingWasDone(e)) {
        throw e;
      }
      LOG.warn("{} may have been started, it is asked again: {}", request.job(), e.toString());
      return writer.ask(request, since);
    }
  }

  /** Starts on demand, in the calling thread; the attempt goes on in its own. */
  Optional<Answer> press(
      Work work, Kind kind, String provider, Slots.Slot slot, @Nullable Mark asOf) {
    MoveRequest request = departures.depart(work, provider, StartCause.BUTTON).asOf(asOf);
    Leaving leaving = new Leaving(work, kind, provider, request, slot);
    long since = Clocks.nanos();
    boolean handedOn = false;
    try {
      Written written = writer.write(kind.name(), request);
      if (written.answer().orElse(null) instanceof Answer.Started) {
        launch(work.id(), () -> goOn(leaving, written));
        handedOn = true;
      }
      return written.answer();
    } catch (RuntimeException | Error e) {
      if (!StartWriter.nothingWasDone(e)) { // the caller learns that nothing is known
        launch(work.id(), () -> findOut(leaving, since));
        handedOn = true;
      }
      throw e;
    } finally {
      if (!handedOn) {
        slot.release();
      }
    }
  }

  private void findOut(Leaving leaving, long since) {
    Written written = null;
    try {
      written = writer.ask(leaving.request(), since);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("{}: not known whether it was started: {}", leaving.work().id(), e.toString());
    } finally {
      if (written == null) {
        leaving.slot().release();
      }
    }
    if (written != null) {
      goOn(leaving, written);
    }
  }

  /** Runs what has been started; lets go of what has not. */
  private void goOn(Leaving leaving, Written written) {
    AttemptRun run = null;
    try {
      if (written.answer().orElse(null) instanceof Answer.Started started) {
        run = runs.prepare(leaving, started, written.since());
      } else {
        LOG.debug("{} does not start: {}", leaving.work().id(), written.answer());
        if (written.answer().orElse(null) instanceof Answer.StartRefused no) {
          refused(leaving, no.why());
        }
      }
    } finally {
      departing.remove(leaving.work().id());
      if (run == null) {
        leaving.slot().release();
      }
    }
    if (run != null) {
      runs.run(run);
    }
  }

  private void refused(Leaving leaving, StartRefusal why) {
    if (why == StartRefusal.CIRCUIT_OPEN) {
      health.foundShut(leaving.provider());
    } else if (why == StartRefusal.NOT_QUALIFIED || why == StartRefusal.DUE_ELSEWHERE) {
      refused.add(leaving.work().id()); // it stays due, and others are to come to their turn
    }
  }

  /** Starts on demand what a worker is to fetch: it is started now, and waits for one. */
  Optional<Answer> offerToWorkers(
      JobId job, Kind kind, String provider, StartCause cause, @Nullable Mark asOf) {
    MoveRequest request = Departures.offer(job, kind, provider, cause).asOf(asOf);
    return writer.write(kind.name(), request).answer();
  }

  /** Nobody asks a provider by itself that does not answer. */
  private Slots.@Nullable Slot tryTakeByItself(String kind, String provider) {
    return health.mayStart(provider) ? slots.tryTake(kind, provider) : null;
  }

  Slots.@Nullable Slot tryTake(String kind, String provider) {
    return slots.tryTake(kind, provider);
  }

  void close() {
    closed = true;
  }

  boolean closed() {
    return closed;
  }
}
