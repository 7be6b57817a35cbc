package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Mark;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.StartRefusal;
import dev.onejob.engine.DueStarts.Became;
import dev.onejob.engine.DueStarts.Found;
import dev.onejob.engine.Runs.Leaving;
import dev.onejob.engine.StartWriter.Written;
import dev.onejob.store.DueJobs;
import dev.onejob.store.DueJobs.Due;
import dev.onejob.store.JobQueries.Work;
import dev.onejob.store.MoveRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
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
  private final WorkReader reader;
  private final Chronicle chronicle;
  private final StartWriter writer;
  private final Runs runs;
  private final Waiters waiters;
  private final Slots slots;
  private final ProviderHealth health;
  private final Departures departures;
  private final DueStarts dueStarts;
  private final LookAhead ahead = new LookAhead(size -> ThreadLocalRandom.current().nextInt(size));
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
      Writes writes,
      StartWriter writer,
      Runs runs,
      Waiters waiters,
      Slots slots,
      ProviderHealth health) {
    this.dueJobs = stores.dueJobs();
    this.chronicle = chronicle;
    this.reader = new WorkReader(stores.queries());
    this.writer = writer;
    this.runs = runs;
    this.waiters = waiters;
    this.slots = slots;
    this.health = health;
    this.departures = new Departures(config);
    this.dueStarts = new DueStarts(reader, writes, departures, health::isClosed);
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

  /**
   * What a job that is about to be admitted here starts with, if there is a slot; null: none. The
   * trial of an open circuit is left to a look: a repeat would waste it.
   */
  @Nullable Leaving board(Work work) {
    Kind kind = Objects.requireNonNull(kinds.get(work.kind()));
    String provider = work.route().getFirst();
    boolean goes = !closed && health.isClosed(provider) && !queues.isWaiting(kind.name(), provider);
    Slots.Slot slot = goes ? tryTakeByItself(kind.name(), provider) : null;
    if (slot == null) {
      return null;
    }
    MoveRequest start = departures.depart(work, provider, StartCause.DISPATCH);
    departing.add(work.id()); // a look may find it before whoever admits it has its answer
    return new Leaving(work, kind, provider, start, slot);
  }

  /** It was not admitted, or is not known to have started. */
  void stays(Leaving leaving) {
    departing.remove(leaving.work().id());
    leaving.slot().release();
  }

  /**
   * It was admitted: its attempt goes on, or starts now where it was not started with it.
   *
   * @param since a moment of the monotonic clock from before
   */
  void admitted(Leaving leaving, boolean started, long since) {
    if (started) {
      goOnApart(leaving, Writes.started(leaving.request()), since);
    } else {
      launch(leaving.work().id(), () -> depart(leaving));
    }
  }

  /** A job was admitted here for which there was no slot. */
  void leftWaiting(String kind, String provider) {
    queues.joined(kind, provider);
  }

  /** One look for due jobs; takes as many as there are slots. */
  Look lookOnce() {
    int room = Math.min(slots.free(), Limits.BATCH_MAX);
    List<String> kindsWithRoom = slots.kindsWithRoom();
    List<String> providersWithRoom =
        slots.providersWithRoom().stream().filter(health::passable).toList();
    if (room == 0 || kindsWithRoom.isEmpty() || providersWithRoom.isEmpty() || closed) {
      return closed ? new Look.NothingDue() : new Look.LacksSlots();
    }
    List<Found> taken = ahead.take(room, Clocks.nanos(), this::take);
    if (taken.isEmpty()) {
      look(kindsWithRoom, providersWithRoom, room);
      taken = ahead.take(room, Clocks.nanos(), this::take);
    }
    if (!taken.isEmpty()) {
      int gone = launch(taken);
      ahead.lost(taken.size() - gone, taken.size(), Clocks.nanos());
      return new Look.Took(gone);
    }
    return slots.anyFull() ? new Look.LacksSlots() : new Look.NothingDue();
  }

  private void look(List<String> kindsWithRoom, List<String> providersWithRoom, int room) {
    long from = Clocks.nanos();
    List<Due> due =
        dueJobs.find(
            new DueJobs.Look(
                kindsWithRoom,
                providersWithRoom,
                turns.turns(),
                refused.and(departing),
                LookAhead.limit(room)));
    chronicle.looked(from, due.size());
    if (due.isEmpty()) {
      queues.empty(kindsWithRoom, providersWithRoom);
    }
    ahead.show(due, Clocks.nanos());
  }

  private @Nullable Found take(Due due) {
    String provider = due.lane().provider();
    Kind kind = Objects.requireNonNull(kinds.get(due.lane().kind()));
    if (!knowsProvider(provider) || departing.contains(due.id())) {
      return null;
    }
    Slots.Slot slot = tryTakeByItself(kind.name(), provider);
    if (slot == null) {
      queues.joined(kind.name(), provider);
      return null;
    }
    turns.served(due);
    departing.add(due.id());
    return new Found(due.id(), kind, provider, slot);
  }

  /** How many of them are on their way. Whatever fails with one, the others go on. */
  private int launch(List<Found> taken) {
    int gone = 0;
    for (Became became : dueStarts.start(taken)) {
      try {
        gone += launched(became) ? 1 : 0;
      } catch (RuntimeException | Error e) { // above all an OutOfMemoryError: no more threads
        LOG.error("{} is left to its lease, or to the next look", became.found().job(), e);
        letGo(became.found());
      }
    }
    return gone;
  }

  private boolean launched(Became became) {
    switch (became) {
      case Became.Started it -> goOnApart(it.leaving(), it.answer(), it.since());
      case Became.ByItself it -> launch(it.leaving().work().id(), () -> depart(it.leaving()));
      case Became.Unread it ->
          launch(it.found().job(), () -> departFound(it.found(), StartCause.DISPATCH));
      case Became.Lost it ->
          launch(
              it.leaving().work().id(),
              () -> findOut(it.leaving(), () -> writer.ask(it.leaving().request(), it.since())));
      case Became.Left it -> {
        letGo(it.found());
        return false;
      }
    }
    return true;
  }

  private void letGo(Found found) {
    departing.remove(found.job());
    found.slot().giveBack();
  }

  private void goOnApart(Leaving leaving, Answer.Started answer, long since) {
    chronicle.started(leaving.kind().name(), leaving.request(), answer);
    launch(leaving.work().id(), () -> goOn(leaving, new Written(Optional.of(answer), since)));
  }

  /** Starts an attempt beside one that runs, if there is a slot and the guard allows it. */
  void race(JobId job, Kind kind, String provider) {
    Slots.Slot slot = departing.contains(job) ? null : tryTakeByItself(kind.name(), provider);
    if (slot == null) {
      return; // it stays ripe
    }
    departing.add(job);
    launch(job, () -> departFound(new Found(job, kind, provider, slot), StartCause.RACE));
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

  private void departFound(Found found, StartCause cause) {
    JobId job = found.job();
    Work work = null;
    try {
      work = reader.one(job);
    } finally {
      if (work == null) { // also after an Error
        departing.remove(job);
        found.slot().release();
      }
    }
    if (work != null) {
      MoveRequest request = departures.depart(work, found.provider(), cause);
      depart(new Leaving(work, found.kind(), found.provider(), request, found.slot()));
    }
  }

  private void depart(Leaving leaving) {
    findOut(leaving, () -> writer.writeForSure(leaving.kind().name(), leaving.request()));
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
        launch(work.id(), () -> findOut(leaving, () -> writer.ask(request, since)));
        handedOn = true;
      }
      throw e;
    } finally {
      if (!handedOn) {
        slot.release();
      }
    }
  }

  /** Nobody knows whether it was admitted, and its attempt started with it: both become known. */
  void admissionLost(Leaving leaving, long since) {
    launch(
        leaving.work().id(),
        () -> findOut(leaving, () -> writer.askOfBirth(leaving.request(), since)));
  }

  private interface Question {
    Written ask() throws InterruptedException;
  }

  private void findOut(Leaving leaving, Question question) {
    Written written = null;
    try {
      written = question.ask();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("{} is not known to have started: {}", leaving.work().id(), e.toString());
    } finally {
      if (written == null) {
        stays(leaving);
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
