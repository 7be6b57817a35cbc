package dev.onejob.server.webhooks;

import dev.onejob.domain.Delivery.Outcome;
import dev.onejob.providers.http.Head;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.PostTo;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.RetryAfter;
import dev.onejob.server.webhooks.Destinations.Judged;
import dev.onejob.store.Deliveries.Taken;
import dev.onejob.store.Deliveries.TryEnd;
import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes one try: looks the host up, judges its addresses, signs, sends, reads the status. */
final class Tries {
  private static final int GONE = 410;
  private static final int REDIRECTS = 3;

  private final Destinations destinations;
  private final Duration timeout;
  private final RandomGenerator random;

  Tries(Destinations destinations, Duration timeout, RandomGenerator random) {
    this.destinations = destinations;
    this.timeout = timeout;
    this.random = random;
  }

  /** Sends at most one request. */
  TryEnd make(Taken taken) {
    return switch (destinations.judge(taken.url())) {
      case Judged.Forbidden forbidden -> inVain(taken, Outcome.BLOCKED, null, forbidden.why());
      case Judged.Unknown unknown -> inVain(taken, Outcome.NOT_SENT, null, unknown.why());
      case Judged.Allowed allowed -> sent(taken, allowed);
    };
  }

  private TryEnd sent(Taken taken, Judged.Allowed to) {
    Reply reply = PostTo.send(post(taken, to), to.addresses(), timeout);
    return switch (reply) {
      case Reply.NotSent notSent -> inVain(taken, Outcome.NOT_SENT, null, notSent.why().message());
      case Reply.NoAnswer none -> inVain(taken, Outcome.UNANSWERED, null, none.why().message());
      case Reply.Answer answer -> answered(taken, answer.head());
      case Reply.TooLarge large -> answered(taken, large.head());
    };
  }

  private static Post post(Taken taken, Judged.Allowed to) {
    byte[] body = EventBody.of(taken.news());
    String id = taken.id().toString();
    return new Post(
        to.target(),
        Map.of(
            "webhook-id", id,
            "webhook-timestamp", Long.toString(taken.startedAt().getEpochSecond()),
            "webhook-signature", Signature.of(id, taken.startedAt(), body, taken.secrets())),
        body);
  }

  private TryEnd answered(Taken taken, Head head) {
    if (head.isSuccess()) {
      return new TryEnd(Outcome.DELIVERED, head.status(), null, null);
    }
    if (head.status() == GONE) {
      return new TryEnd(Outcome.GONE, GONE, "the receiver wants nothing more", null);
    }
    boolean redirect = head.status() / 100 == REDIRECTS;
    TryEnd end =
        inVain(
            taken,
            Outcome.REFUSED,
            head.status(),
            redirect ? "redirects are not followed" : "the answer is no success");
    Duration wish = RetryAfter.of(head, taken.startedAt());
    return end.nextIn() != null && wish != null && wish.compareTo(end.nextIn()) > 0
        ? new TryEnd(end.outcome(), end.status(), end.message(), wish)
        : end;
  }

  private TryEnd inVain(Taken taken, Outcome outcome, @Nullable Integer status, String message) {
    Duration pause = Schedule.pauseAfter(taken.roundTries(), random).orElse(null);
    return new TryEnd(outcome, status, message, pause);
  }
}
