package dev.onejob.providers.httpasync;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Quoted;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.RetryAfter;
import dev.onejob.providers.http.Unwatched;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Asks about work by its id: one request, and one more where a result has an address of its own.
 * Starts nothing.
 */
final class Looking {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;

  /** Longest wait for one answer: a question can be put again. */
  private static final Duration PATIENCE_MAX = Duration.ofSeconds(30);

  private final Requests requests;
  private final Reading reading;
  private final @Nullable JsonPointer resultAt;
  private final List<Integer> failedStatuses;
  private final InstantSource clock;

  /**
   * Makes one.
   *
   * @param resultAt where the result is in an answer of its own
   */
  Looking(
      Requests requests,
      Reading reading,
      @Nullable JsonPointer resultAt,
      List<Integer> failedStatuses,
      InstantSource clock) {
    this.requests = requests;
    this.reading = reading;
    this.resultAt = resultAt;
    this.failedStatuses = failedStatuses;
    this.clock = clock;
  }

  /** What has become of the work by now. */
  Seen at(String id, Requests.Links links, Duration patience) throws InterruptedException {
    long began = System.nanoTime();
    Seen seen =
        switch (ask(requests.status(id, links), patience)) {
          case Reply.NotSent notSent -> new Seen.Nothing(notSent.why(), null);
          case Reply.NoAnswer none -> new Seen.Nothing(none.why(), null);
          case Reply.TooLarge large -> unexpected(large.head(), new byte[0]);
          case Reply.Answer answer -> status(answer);
        };
    if (seen instanceof Seen.DoneWithout done && requests.fetchesResult()) {
      Duration left = patience.minusNanos(System.nanoTime() - began);
      return left.isPositive() ? fetched(id, links, left, done.cost()) : timedOut();
    }
    return seen;
  }

  private static Seen timedOut() {
    return new Seen.Nothing(
        new Failure(OnePost.TIMEOUT, "the result was not fetched in time"), null);
  }

  private Reply ask(Post post, Duration patience) throws InterruptedException {
    Duration bounded = patience.compareTo(PATIENCE_MAX) > 0 ? PATIENCE_MAX : patience;
    return OnePost.send(post, requests.patience(bounded), Unwatched.QUESTION, head -> {});
  }

  private Seen status(Reply.Answer answer) {
    int status = answer.head().status();
    if (status == NOT_FOUND || status == GONE) {
      return new Seen.NotFound();
    }
    // Some say 202 as long as they are at work; what counts is the word.
    return answer.head().isSuccess() ? document(answer) : unexpected(answer.head(), answer.body());
  }

  private Seen document(Reply.Answer answer) {
    try {
      return reading.of(BoundedJson.read(answer.body()));
    } catch (JacksonException e) {
      return unreadable(e);
    }
  }

  private static Seen unreadable(JacksonException e) {
    String message = Quoted.message("the answer cannot be read", e.getOriginalMessage());
    return new Seen.Nothing(new Failure(OnePost.UNREADABLE_ANSWER, message), null);
  }

  private Seen unexpected(Head head, byte[] body) {
    return new Seen.Nothing(failure(head, body), RetryAfter.of(head, clock.instant()));
  }

  private static Failure failure(Head head, byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return new Failure(
        "status-" + head.status(), Quoted.message("the provider says " + head.status(), text));
  }

  private Seen fetched(String id, Requests.Links links, Duration patience, @Nullable String cost)
      throws InterruptedException {
    return switch (ask(requests.result(id, links), patience)) {
      case Reply.NotSent notSent -> new Seen.Nothing(notSent.why(), null);
      case Reply.NoAnswer none -> new Seen.Nothing(none.why(), null);
      case Reply.TooLarge large ->
          large.head().status() == OK ? Reading.tooLarge() : result(large.head(), new byte[0]);
      case Reply.Answer answer ->
          answer.head().status() == OK
              ? result(answer.body(), cost)
              : result(answer.head(), answer.body());
    };
  }

  /** Of work that is done: whatever its result is, it is no doubt whether it happened. */
  private Seen result(byte[] body, @Nullable String cost) {
    var flaw = BoundedJson.flaw(body);
    if (flaw.isPresent()) {
      return flaw.get().sort() == BoundedJson.Flaw.Sort.BEYOND_LIMITS
          ? Reading.invalid(flaw.get().says())
          : new Seen.Nothing(new Failure(OnePost.UNREADABLE_ANSWER, flaw.get().says()), null);
    }
    try {
      JsonNode document = BoundedJson.read(body);
      JsonNode value = resultAt == null ? document : document.at(resultAt);
      return value.isMissingNode() || value.isNull()
          ? new Seen.DoneWithout(cost)
          : reading.result(value, cost);
    } catch (JacksonException e) {
      return unreadable(e);
    }
  }

  /** In place of a result. */
  private Seen result(Head head, byte[] body) {
    return failedStatuses.contains(head.status())
        ? new Seen.Failed(
            new Failure(Reading.PROVIDER_FAILED, failure(head, body).message()), Retryability.FINAL)
        : unexpected(head, body);
  }
}
