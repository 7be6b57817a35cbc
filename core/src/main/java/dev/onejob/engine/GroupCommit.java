package dev.onejob.engine;

import dev.onejob.domain.Limits;
import dev.onejob.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: while as many batches are in flight as may be, further items gather and leave
 * together as the next. A lone item leaves at once, on the thread that brought it: nothing is added
 * to its latency, unless a flight of many of its sort is in the air.
 *
 * <p>Whoever finds a flight free leads: it runs a batch in its own thread. What has gathered by
 * then is flown by a thread of its own, batch after batch, until nobody may leave any more. A batch
 * holds items of one sort, at most one of a subject, and no more bytes than one statement can well
 * carry. Which sort leaves next, and which gathers, is said by {@link FlightRules}.
 *
 * <p>If the batch fails because of one of its rows, or because a lock of one was not to be had, or
 * by an error of the machine, its items are tried singly by those who brought them: one bad row
 * harms no other, and whatever happens, nobody is left waiting.
 */
final class GroupCommit<T, R> {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  /** Items tried singly at the same time; more would take the pool away from the batches. */
  private static final int LONE_MAX = 8;

  /** Tries of a lone item whose lock is held by somebody else; the store waits 250 ms in each. */
  private static final int LONE_TRIES_MAX = 20;

  /** How long a thread that flies under load is kept for the next load. */
  private static final int PILOT_IDLE_SECONDS = 5;

  private static final ThreadFactory PILOTS =
      Thread.ofPlatform().daemon().name("onejob-group-commit-", 0).factory();

  private final Function<T, Object> sort;
  private final Function<T, Object> subject;
  private final Function<List<T>, List<R>> batch;
  private final ToIntFunction<T> bytes;
  private final Semaphore lone = new Semaphore(LONE_MAX, true);
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiter<T, R>> gathered = new ArrayDeque<>(); // guarded by lock
  private final FlightRules rules; // guarded by lock
  private int inFlight; // guarded by lock
  private final int flightsMax;
  private final ThreadPoolExecutor pilots;

  /**
   * Makes one with one batch in flight at a time.
   *
   * @param subject of an item: two items of equal subject never share a batch
   * @param batch gives an answer for each item, in their order
   */
  GroupCommit(Function<T, Object> subject, Function<List<T>, List<R>> batch) {
    this(1, subject, batch, item -> 0);
  }

  /** Makes one whose items are all of one sort. */
  GroupCommit(
      int flightsMax,
      Function<T, Object> subject,
      Function<List<T>, List<R>> batch,
      ToIntFunction<T> bytes) {
    this(flightsMax, item -> GroupCommit.class, subject, batch, bytes);
  }

  /** Makes one by the rules that are in use. */
  GroupCommit(
      int flightsMax,
      Function<T, Object> sort,
      Function<T, Object> subject,
      Function<List<T>, List<R>> batch,
      ToIntFunction<T> bytes) {
    this(flightsMax, new FlightRules(FlightRules.LATE), sort, subject, batch, bytes);
  }

  /**
   * Makes one.
   *
   * @param flightsMax batches in flight at a time
   * @param sort of an item: a batch holds items of equal sort
   * @param bytes of an item: a batch of several holds at most {@link Limits#BATCH_BYTES_MAX}
   */
  GroupCommit(
      int flightsMax,
      FlightRules rules,
      Function<T, Object> sort,
      Function<T, Object> subject,
      Function<List<T>, List<R>> batch,
      ToIntFunction<T> bytes) {
    this.rules = rules;
    this.flightsMax = flightsMax;
    this.sort = sort;
    this.subject = subject;
    this.batch = batch;
    this.bytes = bytes;
    this.pilots =
        new ThreadPoolExecutor(
            flightsMax,
            flightsMax,
            PILOT_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            PILOTS);
    pilots.allowCoreThreadTimeOut(true);
  }

  private enum Turn {
    WAIT,
    ALONE,
    DONE
  }

  private static final class Waiter<T, R> {
    final T item;
    final Object sort;
    final Object subject;
    final int bytes;
    final Thread thread = Thread.currentThread();
    volatile Turn turn = Turn.WAIT;
    boolean aboard; // guarded by the lock of the gathered
    @Nullable R answer;
    @Nullable Throwable failure; // a RuntimeException or an Error

    Waiter(T item, Object sort, Object subject, int bytes) {
      this.item = item;
      this.sort = sort;
      this.subject = subject;
      this.bytes = bytes;
    }

    void turn(Turn next) {
      turn = next;
      LockSupport.unpark(thread);
    }
  }

  /** Brings an item and waits for its answer. An interrupt is kept, and does not end the wait. */
  R submit(T item) {
    Waiter<T, R> waiter =
        new Waiter<>(item, sort.apply(item), subject.apply(item), bytes.applyAsInt(item));
    if (enqueue(waiter)) {
      lead();
    }
    awaitTurn(waiter);
    if (waiter.turn == Turn.ALONE) {
      return alone(item);
    }
    return switch (waiter.failure) {
      case null -> answer(waiter);
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException("batches throw nothing checked", e);
    };
  }

  /** How many items wait for the next batch. */
  int gathered() {
    lock.lock();
    try {
      return gathered.size();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("NullAway") // R may be nullable itself; a done waiter has what the batch gave
  private static <T, R> R answer(Waiter<T, R> waiter) {
    return waiter.answer;
  }

  private boolean enqueue(Waiter<T, R> waiter) {
    lock.lock();
    try {
      gathered.add(waiter);
      rules.gathered(waiter.bytes);
      return leads(waiter);
    } finally {
      lock.unlock();
    }
  }

  /** With the lock: whether its thread is to fly now. */
  private boolean leads(Waiter<T, R> waiter) {
    boolean leads = inFlight < flightsMax && rules.mayLeave(waiter.sort, Clocks.nanos());
    if (leads) {
      inFlight++;
    }
    return leads;
  }

  /** A flight may be late, and nobody may come who would see that: so who waits looks again. */
  private boolean leadsAfterAll(Waiter<T, R> waiter) {
    lock.lock();
    try {
      return !waiter.aboard && leads(waiter);
    } finally {
      lock.unlock();
    }
  }

  private void awaitTurn(Waiter<T, R> waiter) {
    boolean interrupted = false;
    while (waiter.turn == Turn.WAIT) {
      LockSupport.parkNanos(this, rules.late().toNanos());
      interrupted |= Thread.interrupted();
      if (leadsAfterAll(waiter)) {
        lead();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** One flight by the thread that found one free; a pilot flies what has gathered. */
  private void lead() {
    boolean interrupted = Thread.interrupted(); // an interrupt must not break the others' batch
    try {
      fly();
    } finally {
      if (somebodyMayLeave()) {
        handOver();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Without a thread for a pilot the leader goes on: somebody has to. */
  private void handOver() {
    try {
      pilots.execute(this::flyOn);
    } catch (Throwable e) { // above all an OutOfMemoryError: no more threads
      LOG.warn("no thread for group commits, a caller flies on", e);
      flyOn();
    }
  }

  private void flyOn() {
    do {
      try {
        fly();
      } catch (Error e) { // above all an OutOfMemoryError: the others still wait for this thread
        LOG.error("a flight did not leave", e);
      }
    } while (somebodyMayLeave());
  }

  private void fly() {
    List<Waiter<T, R>> aboard = new ArrayList<>();
    FlightRules.Flight flight = new FlightRules.Flight();
    try {
      board(aboard, flight);
      if (!aboard.isEmpty()) {
        run(aboard);
      }
    } catch (Throwable e) { // also Errors: whoever is aboard waits for this thread alone
      land(aboard, e);
    } finally {
      clear(flight);
    }
  }

  private void clear(FlightRules.Flight flight) {
    lock.lock();
    try {
      rules.landed(flight);
    } finally {
      lock.unlock();
    }
  }

  /** Whether to go on; if not, also after an Error, the flight is free for the next to come. */
  private boolean somebodyMayLeave() {
    boolean goesOn = false;
    lock.lock();
    try {
      long now = Clocks.nanos();
      goesOn = gathered.stream().anyMatch(waiter -> rules.mayLeave(waiter.sort, now));
      return goesOn;
    } finally {
      if (!goesOn) {
        inFlight--;
      }
      lock.unlock();
    }
  }

  /** The first of the sort that is due, and who else of it fits. */
  private void board(List<Waiter<T, R>> aboard, FlightRules.Flight flight) {
    lock.lock();
    try {
      long now = Clocks.nanos();
      Object due = rules.next(gathered.stream().map(waiter -> waiter.sort).toList(), now);
      if (due != null) { // another flight may have taken them along
        rules.leaves(flight, due, due.equals(gathered.element().sort), now);
        fill(aboard, due, flight);
      }
    } finally {
      lock.unlock();
    }
  }

  private void fill(List<Waiter<T, R>> aboard, Object due, FlightRules.Flight flight) {
    Set<Object> subjects = new HashSet<>();
    long load = 0;
    Iterator<Waiter<T, R>> queue = gathered.iterator();
    while (queue.hasNext() && aboard.size() < Limits.BATCH_MAX) {
      Waiter<T, R> next = queue.next();
      if (next.sort.equals(due) && !subjects.contains(next.subject)) {
        load += next.bytes;
        if (load > Limits.BATCH_BYTES_MAX && !aboard.isEmpty()) {
          return;
        }
        subjects.add(next.subject);
        aboard.add(next); // from here on it is landed, whatever happens
        queue.remove();
        next.aboard = true;
        rules.boards(flight, next.bytes);
      }
    }
  }

  private void run(List<Waiter<T, R>> aboard) {
    List<R> answers = batch.apply(aboard.stream().map(waiter -> waiter.item).toList());
    if (answers.size() != aboard.size()) {
      throw new IllegalStateException(
          answers.size() + " answers for " + aboard.size() + " items of a batch");
    }
    for (int i = 0; i < aboard.size(); i++) {
      aboard.get(i).answer = answers.get(i);
      aboard.get(i).turn(Turn.DONE);
    }
  }

  private static <T, R> void land(List<Waiter<T, R>> aboard, Throwable e) {
    Turn next = splits(e, aboard.size()) ? Turn.ALONE : Turn.DONE;
    for (Waiter<T, R> waiter : aboard) {
      waiter.failure = e;
      waiter.turn(next);
    }
  }

  /** Without a switch over patterns, which asks for memory when it is met for the first time. */
  private static boolean splits(Throwable e, int items) {
    if (e instanceof StoreException.LockTimeout) {
      return true;
    }
    boolean ofOneRow =
        e instanceof StoreException store ? store.blamesTheRow() : e instanceof Error;
    return ofOneRow && items > 1;
  }

  private R alone(T item) {
    for (int tries = 1; ; tries++) {
      try {
        return tryAlone(item);
      } catch (StoreException.LockTimeout e) {
        if (tries >= LONE_TRIES_MAX) {
          throw e;
        }
      }
    }
  }

  /** One try, in turn: who waits for a lock in vain lets the others pass before its next. */
  private R tryAlone(T item) {
    lone.acquireUninterruptibly();
    try {
      return batch.apply(List.of(item)).getFirst();
    } finally {
      lone.release();
    }
  }
}
