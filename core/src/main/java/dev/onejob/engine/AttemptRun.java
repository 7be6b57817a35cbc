package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Failure;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Retryability;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.store.Leases;
import dev.onejob.store.MoveRequest.Departure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt on its way: the call on its own virtual thread, and three timers beside it.
 *
 * <ul>
 *   <li>At {@code race.after}, once the request was handed over, it is recorded as running: from
 *       then on it may be raced, and whoever starts races is told.
 *   <li>At the attempt timeout it is in doubt and its slot is free; the line is still read, unless
 *       too many are.
 *   <li>When the time for late answers is over too, nobody listens any more.
 * </ul>
 *
 * <p>Until it has ended or is in doubt, its lease is renewed. If the lease is lost all the same,
 * the provider is told to stop; what it answers then is a late answer.
 */
final class AttemptRun implements CallWatch {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);

  /** What an adapter gets to return by itself at its limits, before the engine acts. */
  private static final Duration GRACE = Duration.ofMillis(250);

  private static final String NODE_CLOSED = "the node closed";

  /** How soon a request that was not handed over by the time of a race is looked at again. */
  private static final Duration RACE_AGAIN = Duration.ofMillis(250);

  /** For how long a node that stops waits for an acceptance that is being written. */
  private static final long MOVING_MAX_MILLIS = 1_000;

  private final Speaker speaker;
  private final Provider provider;
  private final ProviderRequest request;
  private final Slots.Slot slot;
  private final Held held;
  private final Departure departure;
  private volatile Lease lease; // another one each time that it is held again
  private final List<Future<?>> timers = new ArrayList<>();

  private final ReentrantLock moving = new ReentrantLock(); // acceptance and timeout, in one order
  private final Caller caller = new Caller();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Runnable stop; // guarded by lock
  private volatile boolean stopAsked;
  private volatile boolean handedOver;
  private volatile boolean accepted;
  private volatile boolean inDoubt;
  private volatile boolean answered;

  /** By what an attempt is held, written and listened to on its node. */
  record Held(
      LeaseKeeper keeper,
      Settler settler,
      LateListeners listeners,
      Runnable raceSignal,
      Runnable acceptedSignal) {}

  /**
   * Makes one, under the lease that its start has given it.
   *
   * @param since a moment of the monotonic clock, not after the lease was given
   */
  AttemptRun(Speaker speaker, Call call, Departure lease, long since, Slots.Slot slot, Held held) {
    this.speaker = speaker;
    this.provider = call.provider();
    this.request = call.request();
    this.slot = slot;
    this.held = held;
    this.departure = lease;
    this.lease = lease(since);
  }

  private Lease lease(long since) {
    return new Lease(
        new Leases.Held(speaker.attempt(), departure.leaseToken()),
        Duration.ofMillis(departure.leaseMillis()),
        since,
        this::leaseLost);
  }

  /** What is asked, and of whom. */
  record Call(Provider provider, ProviderRequest request) {}

  Speaker speaker() {
    return speaker;
  }

  /** Makes the call and settles what came of it; returns when nobody listens any more. */
  void run(Timers clock) {
    held.keeper().keep(lease);
    try {
      String stays = whyItStays(clock);
      Outcome outcome = stays == null ? call() : notSent(stays);
      answered = true;
      timers.forEach(timer -> timer.cancel(false));
      if (!knownAlready(outcome)) {
        held.settler().settle(speaker, outcome, () -> Optional.of(request.input()), this::isLate);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing: the lease will tell
    } catch (RuntimeException e) {
      unsettled(e);
    } finally {
      timers.forEach(timer -> timer.cancel(false));
      held.keeper().release(lease);
      held.listeners().remove(this);
      slot.release();
    }
  }

  /** A node that closes cuts the lines of what it has put in doubt: that is no news. */
  private boolean knownAlready(Outcome outcome) {
    return inDoubt && outcome instanceof Outcome.InDoubt && held.settler().closed();
  }

  private boolean isLate() {
    return inDoubt || !lease.lasts();
  }

  /** Whether it is neither ended nor in doubt, as far as is known here. */
  boolean isUnderLease() {
    return !inDoubt;
  }

  /**
   * Without its timers nobody would see that it hangs; and without its lease, or once its node has
   * looked at what to put in doubt, it may be in doubt by now, and the doubt ended by a decision:
   * so nothing leaves. Null if it may.
   */
  private @Nullable String whyItStays(Timers clock) {
    try {
      startTimers(clock);
    } catch (RejectedExecutionException e) {
      return NODE_CLOSED;
    }
    if (!slot.isOpen()) {
      return NODE_CLOSED;
    }
    return isLate() ? "its time was over, as the node or its database hung," : null;
  }

  /** An attempt that was written down and then not made. */
  private Outcome notSent(String why) {
    LOG.warn("{} {} is not sent: {}", speaker.job(), speaker.attempt(), why);
    return new Outcome.Refused(
        new Failure("not-sent", why + " before the request left"), Retryability.RETRYABLE, null);
  }

  /** A node that closes lets go of what it cannot write; anywhere else it is a fault. */
  private void unsettled(RuntimeException e) {
    if (held.settler().closed()) {
      LOG.warn("{} {} is not written any more: closing", speaker.job(), speaker.attempt());
      LOG.debug("{}", speaker.attempt(), e);
    } else {
      LOG.error("{} {} could not be settled", speaker.job(), speaker.attempt(), e);
    }
  }

  private void startTimers(Timers clock) {
    Kind kind = speaker.kind();
    Duration raceAfter = kind.raceAfter();
    if (raceAfter != null) {
      timers.add(clock.after(raceAfter, () -> raceTime(clock)));
    }
    Duration timeout = kind.attemptTimeout().plus(GRACE);
    timers.add(clock.after(timeout, this::timedOut));
    timers.add(clock.after(timeout.plus(kind.lateAnswerLimit()), this::stopListening));
  }

  private Outcome call() throws InterruptedException {
    caller.set(Thread.currentThread());
    try {
      return provider.call(request, this);
    } catch (InterruptedException e) {
      return new Outcome.InDoubt(new Failure("no-answer", "no answer came while it was awaited"));
    } catch (Throwable e) { // also Errors: whatever escapes says nothing about the act
      LOG.error("{} {}: the adapter failed", speaker.job(), speaker.attempt(), e);
      return new Outcome.InDoubt(new Failure("adapter-failed", e.toString()));
    } finally {
      caller.set(null);
      if (Thread.interrupted()) {
        LOG.debug("{} was interrupted just as it ended", speaker.attempt());
      }
    }
  }

  /** Whether it can be raced is known only once its request was handed over. */
  private void raceTime(Timers clock) {
    if (handedOver) {
      recordRunning();
    } else if (!answered && !inDoubt) {
      clock.afterIfOpen(RACE_AGAIN, () -> raceTime(clock));
    }
  }

  private void recordRunning() {
    try {
      if (!accepted) {
        held.settler().handedOver(speaker);
      }
      held.raceSignal().run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      unsettled(e);
    }
  }

  private void timedOut() {
    held.listeners().add(this);
    moving.lock();
    try {
      String message = "no answer within " + speaker.kind().attemptTimeout().toMillis() + " ms";
      inDoubt = true;
      held.settler().timedOut(speaker, new Failure("timeout", message));
      held.keeper().release(lease);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      unsettled(e);
    } finally {
      moving.unlock();
      slot.release();
    }
    if (answered) { // it ended meanwhile, perhaps before it was among those listened to
      held.listeners().remove(this);
    }
  }

  /**
   * Its node puts it in doubt, out of turn: not beside an acceptance that is being written, unless
   * that takes long. Meanwhile its lease is renewed; a renewal that is refused is no news.
   *
   * @param doubt writes it; what that throws is thrown, and the attempt is as before
   */
  void putInDoubt(Runnable doubt) {
    boolean mine = triesToMove();
    boolean before = inDoubt;
    boolean written = false;
    inDoubt = true;
    try {
      doubt.run();
      written = true;
      held.keeper().release(lease);
    } finally {
      inDoubt = before || written;
      if (mine) {
        moving.unlock();
      }
    }
  }

  private boolean triesToMove() {
    try {
      return moving.tryLock(MOVING_MAX_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void leaseLost(String why) {
    if (answered || inDoubt) {
      LOG.debug("{} {} needs its lease no more", speaker.job(), speaker.attempt());
      return;
    }
    LOG.warn(
        "{} {} has lost its lease: {}; what it still says is a late answer",
        speaker.job(),
        speaker.attempt(),
        why);
    if (provider.capabilities().cancel() != Capabilities.Cancel.DISCONNECT && !isWatchedOn()) {
      askToStop(); // but closing the line would stop nothing for sure, and lose the answer
    }
  }

  /** Another node asks about it by its id; what is told to stop here would be stopped for both. */
  private boolean isWatchedOn() {
    return accepted
        && provider.capabilities().statusProbe() == Capabilities.StatusProbe.BY_PROVIDER_ID;
  }

  /** Nobody waits for it any longer. */
  void stopListening() {
    caller.interrupt();
  }

  /** The adapter may have waited for a connection until after the timeout. */
  @Override
  public boolean mayLeave() {
    return !isLate() && slot.isOpen();
  }

  @Override
  public void handedOver() {
    handedOver = true;
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    handedOver = true;
    accepted = true;
    Thread interruptible = caller.set(null); // an interrupt would close a connection in use
    moving.lock();
    try {
      Settler.Accepted accepted = held.settler().accepted(speaker, providerRef, lease);
      if (accepted.answer() instanceof Answer.Moved && isLate()) {
        holdAgain(accepted.sent());
      }
      if (providerRef != null) {
        held.acceptedSignal().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      moving.unlock();
      caller.set(interruptible);
    }
  }

  /** It was in doubt, and is at work again, under a lease again. */
  private void holdAgain(long since) {
    lease.end();
    Lease again = lease(since);
    lease = again;
    held.keeper().keep(again);
    inDoubt = false;
  }

  @Override
  public void answeredBy(String model) {
    Thread interruptible = caller.set(null); // an interrupt would close a connection in use
    try {
      held.settler().answeredBy(speaker, model);
    } finally {
      caller.set(interruptible);
    }
  }

  @Override
  public void onStop(Runnable action) {
    lock.lock();
    try {
      stop = action;
      if (stopAsked) {
        action.run();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean stopAsked() {
    return stopAsked;
  }

  /** The result is no longer wanted: the adapter is told, once. */
  void askToStop() {
    lock.lock();
    try {
      if (!stopAsked) {
        stopAsked = true;
        if (stop != null) {
          stop.run();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
