package dev.onejob.providers.httpasync;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.Unwatched;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One work from its acknowledgement to its end: looks again and again, never more often than the
 * provider wishes, and tells it to stop if that is asked. A look comes before a cancel: what has
 * ended is not to be cancelled, and at some providers a cancel would delete it.
 */
final class Course {
  private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(10);

  private final Requests requests;
  private final Looking looking;
  private final Stability stability;
  private final Duration every;
  private final CallWatch watch;
  private final Semaphore woken;
  private final long deadline;
  private boolean cancelled;

  /** Whether an end that the provider calls a failure or a stop is one. */
  enum Stability {
    STABLE,
    MAY_CHANGE
  }

  /** What all courses at one provider share. */
  record Rules(Requests requests, Looking looking, Stability stability, Duration every) {}

  /**
   * Makes one.
   *
   * @param woken gets a permit when a stop is asked
   * @param deadline of the monotonic clock, after which nobody listens
   */
  Course(Rules rules, CallWatch watch, Semaphore woken, long deadline) {
    this.requests = rules.requests();
    this.looking = rules.looking();
    this.stability = rules.stability();
    this.every = rules.every();
    this.watch = watch;
    this.woken = woken;
    this.deadline = deadline;
  }

  private Duration left() {
    return Duration.ofNanos(deadline - System.nanoTime());
  }

  /** Follows the work of that id to its end. */
  Outcome follow(String id, Requests.Links links, Seen first) throws InterruptedException {
    Seen seen = first;
    while (true) {
      Outcome end = end(seen);
      if (end != null) {
        return end;
      }
      if (watch.stopAsked() && seen instanceof Seen.AtWork) {
        cancel(id, links);
      }
      Duration left = left();
      if (!left.isPositive()) {
        return new Outcome.InDoubt(
            new Failure(OnePost.TIMEOUT, "it had not ended within the time that was listened"));
      }
      pause(seen, left);
      Duration patience = left();
      if (patience.isPositive()) {
        seen = looking.at(id, links, patience);
      }
    }
  }

  private @Nullable Outcome end(Seen seen) {
    return switch (seen) {
      case Seen.Done done -> new Outcome.Succeeded(done.result(), done.cost());
      case Seen.DoneWithout d -> withoutResult();
      case Seen.Failed failed ->
          stability == Stability.STABLE || failed.isOfItsResult()
              ? new Outcome.Failed(failed.failure(), failed.retryability(), null)
              : mayChange(failed.failure().message());
      case Seen.Stopped stopped ->
          stability == Stability.STABLE
              ? new Outcome.Stopped(stopped.message())
              : mayChange(stopped.message());
      case Seen.AtWork w -> null;
      case Seen.NotFound n -> null;
      case Seen.Nothing n -> null;
    };
  }

  private static Outcome mayChange(String message) {
    return new Outcome.InDoubt(new Failure("end-may-change", message));
  }

  private static Outcome withoutResult() {
    return new Outcome.Failed(
        new Failure(Reading.RESULT_MISSING, "it is done, but its result is not there"),
        Retryability.FINAL,
        null);
  }

  private void pause(Seen seen, Duration left) throws InterruptedException {
    Duration wish = seen instanceof Seen.Nothing nothing ? nothing.retryAfter() : null;
    Duration wait = wish == null || wish.compareTo(every) < 0 ? every : wish;
    Duration bounded = wait.compareTo(left) < 0 ? wait : left;
    if (woken.tryAcquire(bounded.toNanos(), TimeUnit.NANOSECONDS)) {
      woken.drainPermits();
    }
  }

  /** Said until it is heard; what comes of it is seen by the next looks. */
  private void cancel(String id, Requests.Links links) throws InterruptedException {
    if (!cancelled && requests.cancels()) {
      Reply reply =
          OnePost.send(
              requests.cancel(id, links),
              requests.patience(CANCEL_PATIENCE),
              Unwatched.QUESTION,
              head -> {});
      cancelled = reply instanceof Reply.Answer || reply instanceof Reply.TooLarge;
    }
  }
}
