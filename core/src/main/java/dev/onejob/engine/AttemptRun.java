package dev.onejob.engine;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Retryability;
import dev.onejob.engine.Settler.Speaker;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt on its way: the call on its own virtual thread, and three timers beside it.
 *
 * <ul>
 *   <li>At {@code race.after}, if the request was handed over, it is recorded as running: from then
 *       on it may be raced.
 *   <li>At the attempt timeout it is in doubt and its slot is free; the line is still read.
 *   <li>When the time for late answers is over too, nobody listens any more.
 * </ul>
 */
final class AttemptRun implements CallWatch {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);

  /** What an adapter gets to return by itself at its limits, before the engine acts. */
  private static final Duration GRACE = Duration.ofMillis(250);

  /** An attempt that was written down and then not made. */
  private static final Outcome NOT_SENT =
      new Outcome.Refused(
          new Failure("not-sent", "the node closed before the request left"),
          Retryability.RETRYABLE,
          null);

  private final Speaker speaker;
  private final Provider provider;
  private final ProviderRequest request;
  private final Settler settler;
  private final Slots.Slot slot;
  private final List<Future<?>> timers = new ArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Thread caller; // guarded by lock; set while the provider may be interrupted
  private @Nullable Runnable stop; // guarded by lock
  private volatile boolean stopAsked;
  private volatile boolean handedOver;
  private volatile boolean accepted;

  AttemptRun(
      Speaker speaker,
      Provider provider,
      ProviderRequest request,
      Settler settler,
      Slots.Slot slot) {
    this.speaker = speaker;
    this.provider = provider;
    this.request = request;
    this.settler = settler;
    this.slot = slot;
  }

  Speaker speaker() {
    return speaker;
  }

  /** Makes the call and settles what came of it; returns when nobody listens any more. */
  void run(Timers clock) {
    try {
      Outcome outcome = watched(clock) ? call() : NOT_SENT;
      timers.forEach(timer -> timer.cancel(false));
      settler.settle(speaker, outcome);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closing: the lease will tell
    } catch (RuntimeException e) {
      unsettled(e);
    } finally {
      timers.forEach(timer -> timer.cancel(false));
      slot.release();
    }
  }

  /** Without its timers nobody would see that it hangs; so nothing leaves. */
  private boolean watched(Timers clock) {
    try {
      startTimers(clock);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.info("{} {} is not sent: the node is closing", speaker.job(), speaker.attempt());
      return false;
    }
  }

  /** A node that closes lets go of its attempts by design; anywhere else it is a fault. */
  private void unsettled(RuntimeException e) {
    if (settler.closed()) {
      LOG.info("{} {} is left to its lease: closing", speaker.job(), speaker.attempt());
      LOG.debug("{}", speaker.attempt(), e);
    } else {
      LOG.error("{} {} could not be settled", speaker.job(), speaker.attempt(), e);
    }
  }

  private void startTimers(Timers clock) {
    Kind kind = speaker.kind();
    Duration raceAfter = kind.raceAfter();
    if (raceAfter != null) {
      timers.add(clock.after(raceAfter, this::recordRunning));
    }
    Duration timeout = kind.attemptTimeout().plus(GRACE);
    timers.add(clock.after(timeout, this::timedOut));
    timers.add(clock.after(timeout.plus(kind.lateAnswerLimit()), this::stopListening));
  }

  private Outcome call() throws InterruptedException {
    setCaller(Thread.currentThread());
    try {
      return provider.call(request, this);
    } catch (InterruptedException e) {
      return new Outcome.InDoubt(new Failure("no-answer", "no answer came while it was awaited"));
    } catch (Throwable e) { // also Errors: whatever escapes says nothing about the act
      LOG.error("{} {}: the adapter failed", speaker.job(), speaker.attempt(), e);
      return new Outcome.InDoubt(new Failure("adapter-failed", e.toString()));
    } finally {
      setCaller(null);
      if (Thread.interrupted()) {
        LOG.debug("{} was interrupted just as it ended", speaker.attempt());
      }
    }
  }

  /** Who may be interrupted from now on; gives who could be until now. */
  private @Nullable Thread setCaller(@Nullable Thread thread) {
    lock.lock();
    try {
      Thread before = caller;
      caller = thread;
      return before;
    } finally {
      lock.unlock();
    }
  }

  private void recordRunning() {
    if (!handedOver || accepted) {
      return;
    }
    try {
      settler.handedOver(speaker);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void timedOut() {
    try {
      String message = "no answer within " + speaker.kind().attemptTimeout().toMillis() + " ms";
      settler.doubt(speaker, new Failure("timeout", message));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      slot.release();
    }
  }

  private void stopListening() {
    lock.lock();
    try {
      if (caller != null) {
        caller.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void handedOver() {
    handedOver = true;
  }

  @Override
  public void accepted(@Nullable String providerRef) {
    handedOver = true;
    accepted = true;
    Kind kind = speaker.kind();
    Thread interruptible = setCaller(null); // an interrupt would close a connection in use
    try {
      settler.accepted(speaker, providerRef, kind.lateAnswerLimit().plus(Departures.LEASE_MARGIN));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      setCaller(interruptible);
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
