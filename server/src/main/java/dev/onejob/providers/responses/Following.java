package dev.onejob.providers.responses;

import dev.onejob.domain.Failure;
import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Outcome;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.OnePost.Patience;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.RetryAfter;
import dev.onejob.providers.http.Timeouts;
import dev.onejob.providers.http.Unwatched;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * Asks about one response until it has ended, and wishes it to be cancelled once a stop is asked. A
 * question that fails says nothing about the work.
 */
final class Following {
  /** One question; a provider that hangs on it is asked again. */
  private static final Duration QUESTION_MAX = Duration.ofSeconds(30);

  /** A wish to be left alone that is heeded; an answer is waited for meanwhile. */
  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

  private static final int OK = 200;
  private static final int CLIENT_FAULT = 400;
  private static final int SERVER_FAULT = 500;

  /** Timed out, in conflict with what is going on, too many requests. */
  private static final Set<Integer> NOT_NOW = Set.of(408, 409, 429);

  private final ResponseRequest requests;
  private final ResponseReading reading;
  private final Timeouts timeouts;
  private final Duration interval;
  private final Stopping stopping;
  private boolean cancelTried;
  private boolean cancelHeard;

  Following(
      ResponseRequest requests,
      ResponseReading reading,
      Timeouts timeouts,
      Duration interval,
      Stopping stopping) {
    this.requests = requests;
    this.reading = reading;
    this.timeouts = timeouts;
    this.interval = interval;
    this.stopping = stopping;
  }

  /**
   * Follows it.
   *
   * @param end of the monotonic clock, after which nobody listens
   */
  Outcome follow(String id, long end, CallWatch watch) throws InterruptedException {
    Duration pause = interval;
    boolean cancelling = false;
    for (Duration left = left(end); left.isPositive(); left = left(end)) {
      rest(pause.compareTo(left) < 0 ? pause : left);
      Duration patience = left(end);
      if (!patience.isPositive()) {
        break; // a question that nobody waits for is not put
      }
      cancelling =
          stopping.isAsked() && !cancelHeard && !cancelling; // and in between: has it ended?
      Post question = cancelling ? requests.cancel(id) : requests.question(id);
      Reply reply = ask(question, patience);
      cancelTried |= cancelling;
      cancelHeard |= cancelling && isHeard(reply);
      if (progress(reading, reply, id, watch) instanceof Progress.Over over) {
        return over.outcome();
      }
      pause = pause(reply);
    }
    return new Outcome.InDoubt(
        new Failure(OnePost.TIMEOUT, id + " had not ended within the time that was listened"));
  }

  /** Taken, or turned away for good: 408, 409 and 429 are about this moment alone. */
  private static boolean isHeard(Reply reply) {
    return switch (reply) {
      case Reply.NotSent n -> false;
      case Reply.NoAnswer n -> false;
      case Reply.TooLarge large -> isHeard(large.head().status());
      case Reply.Answer answer -> isHeard(answer.head().status());
    };
  }

  private static boolean isHeard(int status) {
    boolean isRefusal = status >= CLIENT_FAULT && status < SERVER_FAULT;
    return status == OK || (isRefusal && !NOT_NOW.contains(status));
  }

  private static Duration left(long end) {
    return Duration.ofNanos(end - System.nanoTime());
  }

  /** A wish to stop ends the rest before it is passed on; not the ones after that. */
  private void rest(Duration pause) throws InterruptedException {
    if (cancelTried) {
      Thread.sleep(pause);
    } else {
      stopping.await(pause);
    }
  }

  private Reply ask(Post question, Duration left) throws InterruptedException {
    Duration most = left.compareTo(QUESTION_MAX) < 0 ? left : QUESTION_MAX;
    return OnePost.send(question, new Patience(most, timeouts), Unwatched.QUESTION, head -> {});
  }

  private Duration pause(Reply reply) {
    Duration wish =
        reply instanceof Reply.Answer answer ? RetryAfter.of(answer.head(), Instant.now()) : null;
    return wish == null || wish.compareTo(interval) < 0 ? interval : bounded(wish);
  }

  private static Duration bounded(Duration wish) {
    return wish.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : wish;
  }

  /** What the answer to a question says. */
  static Progress progress(ResponseReading reading, Reply reply, String id, CallWatch watch) {
    return switch (reply) {
      case Reply.NotSent notSent -> new Progress.Unclear(notSent.why());
      case Reply.NoAnswer none -> new Progress.Unclear(none.why());
      case Reply.TooLarge large -> ResponseReading.tooLargeAsked(large.head());
      case Reply.Answer answer -> reading.asked(answer.head(), answer.body(), id, watch);
    };
  }
}
