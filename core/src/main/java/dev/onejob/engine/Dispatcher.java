package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.StartCause;
import dev.onejob.engine.EngineListener.BatchSort;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.store.DueJobs;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.JobQueries;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.Moves;
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
  private final Moves moves;
  private final JobQueries queries;
  private final Chronicle chronicle;
  private final Settler settler;
  private final Waiters waiters;
  private final Timers timers;
  private final Slots slots;
  private final Departures departures;
  private final GroupCommit<MoveRequest, Optional<Answer>> starts;
  private final Map<String, Kind> kinds;
  private final Map<String, EngineConfig.ProviderSlot> providers;
  private final Queues queues = new Queues();
  private final Turns turns = new Turns();
  private final Set<JobId> departing = ConcurrentHashMap.newKeySet();
  private final Map<AttemptId, AttemptRun> running = new ConcurrentHashMap<>();
  private volatile boolean closed;

  Dispatcher(
      EngineConfig config,
      Stores stores,
      Chronicle chronicle,
      Settler settler,
      Waiters waiters,
      Timers timers,
      Slots slots) {
    this.dueJobs = stores.dueJobs();
    this.moves = stores.moves();
    this.queries = stores.queries();
    this.chronicle = chronicle;
    this.settler = settler;
    this.waiters = waiters;
    this.timers = timers;
    this.slots = slots;
    this.departures = new Departures(config.node());
    this.starts =
        new GroupCommit<>(
            MoveRequest::job, chronicle.batches(BatchSort.START, stores.claims()::start));
    this.kinds = config.kinds().stream().collect(Collectors.toMap(Kind::name, Function.identity()));
    this.providers = config.providers();
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

  /** A job was admitted here: it starts at once if there is a slot; whether there was one. */
  boolean offer(Work work) {
    Kind kind = Objects.requireNonNull(kinds.get(work.kind()));
    String provider = work.route().getFirst();
    boolean waits = closed || queues.isWaiting(kind.name(), provider);
    Slots.Slot slot = waits ? null : slots.tryTake(kind.name(), provider);
    if (slot == null) {
      queues.joined(kind.name(), provider);
      return false;
    }
    departing.add(work.id());
    launch(work.id(), () -> depart(work, kind, provider, slot));
    return true;
  }

  /**
   * One look for due jobs; takes as many as there are slots.
   *
   * @return whether there may be due jobs that only lack a slot
   */
  boolean dispatchOnce() {
    int taken;
    do {
      int room = Math.min(slots.free(), Limits.BATCH_MAX);
      List<String> kindsWithRoom = slots.kindsWithRoom();
      List<String> providersWithRoom = slots.providersWithRoom();
      if (room == 0 || kindsWithRoom.isEmpty() || providersWithRoom.isEmpty() || closed) {
        return !closed;
      }
      long from = Clocks.nanos();
      List<Due> due =
          dueJobs.find(
              new DueJobs.Look(
                  kindsWithRoom, providersWithRoom, turns.all(), Set.copyOf(departing), room));
      chronicle.looked(from, due.size());
      if (due.isEmpty()) {
        queues.empty(kindsWithRoom, providersWithRoom);
      }
      taken = (int) due.stream().filter(this::take).count();
    } while (taken > 0);
    return slots.anyFull();
  }

  private boolean take(Due due) {
    String provider = due.lane().provider();
    Kind kind = Objects.requireNonNull(kinds.get(due.lane().kind()));
    if (!knowsProvider(provider) || departing.contains(due.id())) {
      return false;
    }
    Slots.Slot slot = slots.tryTake(kind.name(), provider);
    if (slot == null) {
      queues.joined(kind.name(), provider);
      return false;
    }
    turns.served(due);
    departing.add(due.id());
    launch(due.id(), () -> departFound(due, kind, slot));
    return true;
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

  private void departFound(Due due, Kind kind, Slots.Slot slot) {
    Work work = null;
    try {
      work = queries.work(due.id()).orElse(null);
      if (work == null) {
        LOG.warn("{} was due and is no longer there", due.id());
      }
    } catch (RuntimeException e) {
      LOG.warn("{} could not be read, it stays due: {}", due.id(), e.toString());
    } finally {
      if (work == null) { // also after an Error
        departing.remove(due.id());
        slot.release();
      }
    }
    if (work != null) {
      depart(work, kind, due.lane().provider(), slot);
    }
  }

  private void depart(Work work, Kind kind, String provider, Slots.Slot slot) {
    Answer answer;
    AttemptRun run = null;
    try {
      MoveRequest request = departures.depart(work, kind, provider, StartCause.DISPATCH);
      answer = start(kind, request).orElse(null);
      if (answer instanceof Answer.Started started) {
        run = prepare(work, kind, provider, started, slot);
      } else {
        LOG.debug("{} does not start: {}", work.id(), answer);
      }
    } catch (RuntimeException e) {
      LOG.warn("{} could not be started, it stays due: {}", work.id(), e.toString());
    } finally {
      departing.remove(work.id());
      if (run == null) {
        slot.release();
      }
    }
    if (run != null) {
      run(run);
    }
  }

  /** Starts on demand, in the calling thread; the attempt goes on in its own. */
  Optional<Answer> press(Work work, Kind kind, String provider, Slots.Slot slot) {
    AttemptRun run = null;
    try {
      MoveRequest request = departures.depart(work, kind, provider, StartCause.BUTTON);
      Optional<Answer> answer = start(kind, request);
      if (answer.orElse(null) instanceof Answer.Started started) {
        AttemptRun begun = prepare(work, kind, provider, started, slot);
        run = begun;
        launch(work.id(), () -> run(begun));
      }
      return answer;
    } finally {
      if (run == null) {
        slot.release();
      }
    }
  }

  Slots.@Nullable Slot tryTake(String kind, String provider) {
    return slots.tryTake(kind, provider);
  }

  private Optional<Answer> start(Kind kind, MoveRequest request) {
    Optional<Answer> answer = starts.submit(request);
    if (answer.orElse(null) instanceof Answer.Started started) {
      chronicle.started(kind.name(), request, started);
    }
    return answer.isPresent() ? answer : moves.move(request);
  }

  private AttemptRun prepare(
      Work work, Kind kind, String providerName, Answer.Started started, Slots.Slot slot) {
    Provider provider = Objects.requireNonNull(providers.get(providerName)).provider();
    ProviderRequest request =
        new ProviderRequest(
            work.id(),
            started.attempt(),
            started.number(),
            work.owner(),
            work.kind(),
            ProviderKeys.derive(work.owner(), work.key(), providerName, started.number()),
            work.input(),
            kind.attemptTimeout(),
            kind.lateAnswerLimit());
    Speaker speaker =
        new Speaker(
            work.id(),
            started.attempt(),
            kind,
            providerName,
            started.number(),
            started.jobVersion());
    AttemptRun run = new AttemptRun(speaker, provider, request, settler, slot);
    running.put(started.attempt(), run);
    return run;
  }

  private void run(AttemptRun run) {
    try {
      run.run(timers);
    } finally {
      running.remove(run.speaker().attempt());
    }
  }

  /** The attempts that this node listens to. */
  List<AttemptId> listeningTo() {
    return List.copyOf(running.keySet());
  }

  /** The result of this attempt is no longer wanted. */
  void askToStop(AttemptId attempt) {
    AttemptRun run = running.get(attempt);
    if (run != null) {
      run.askToStop();
    }
  }

  /** A race is won: the other attempts of the job on this node are told to stop. */
  void stopRivals(Speaker winner) {
    running.values().stream()
        .filter(run -> run.speaker().job().equals(winner.job()))
        .filter(run -> !run.speaker().attempt().equals(winner.attempt()))
        .forEach(AttemptRun::askToStop);
  }

  void close() {
    closed = true;
  }
}
