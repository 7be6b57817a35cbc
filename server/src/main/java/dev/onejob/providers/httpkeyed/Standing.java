package dev.onejob.providers.httpkeyed;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a whole answer says that the work under a key stands. The same answer means one thing to the
 * first request, which acts, another to its repetition, which asks, and another to a look-up.
 */
sealed interface Standing {
  /** It is done. */
  record Done(Result result) implements Standing {}

  /** It was begun and brings no result, for good; so it stays under the key. */
  record Over(Failure failure, Retryability retryability, @Nullable Duration retryAfter)
      implements Standing {}

  /** This request was turned away before any work; nothing is kept under the key. */
  record TurnedAway(Failure failure, Retryability retryability, @Nullable Duration retryAfter)
      implements Standing {}

  /**
   * It is under way.
   *
   * @param id the provider's id of it, if it says one
   */
  record AtWork(Failure says, @Nullable String id) implements Standing {}

  /** The key stands for another request. */
  record Contradiction(Failure failure) implements Standing {}

  /** The provider knows of no such work. */
  record Unknown(Failure says) implements Standing {}

  /** Nothing can be said. */
  record Unclear(Failure why) implements Standing {}

  /** What it says to the first request under the key. */
  default Outcome ofCall() {
    return switch (this) {
      case Done done -> new Outcome.Succeeded(done.result(), null);
      case Over o -> new Outcome.Failed(o.failure(), o.retryability(), o.retryAfter());
      case TurnedAway t -> new Outcome.Refused(t.failure(), t.retryability(), t.retryAfter());
      case AtWork work -> new Outcome.InDoubt(work.says());
      // Under this key nothing more can be done; and this very request has done nothing.
      case Contradiction c -> new Outcome.Refused(c.failure(), Retryability.FINAL, null);
      case Unknown unknown -> new Outcome.Refused(unknown.says(), Retryability.FINAL, null);
      case Unclear unclear -> new Outcome.InDoubt(unclear.why());
    };
  }

  /**
   * What it says about the attempt when its request was sent again. That the repetition was turned
   * away says nothing about the first request, which may be on its way still.
   */
  default Finding ofReplay() {
    return switch (this) {
      case Done done -> new Finding.Succeeded(done.result(), null);
      case Over o -> new Finding.Failed(o.failure(), o.retryability(), o.retryAfter());
      case TurnedAway turnedAway -> new Finding.CannotSay(turnedAway.failure());
      case AtWork work -> new Finding.AtWork(work.id());
      case Contradiction contradiction -> new Finding.CannotSay(contradiction.failure());
      case Unknown unknown -> new Finding.CannotSay(unknown.says());
      case Unclear unclear -> new Finding.CannotSay(unclear.why());
    };
  }

  /** What it says about the attempt when the provider was asked about its id. */
  default Finding ofLookUp() {
    return switch (this) {
      case Done done -> new Finding.Succeeded(done.result(), null);
      case Over o -> new Finding.Failed(o.failure(), o.retryability(), o.retryAfter());
      case TurnedAway turnedAway -> new Finding.CannotSay(turnedAway.failure());
      case AtWork work -> new Finding.AtWork(work.id());
      case Contradiction contradiction -> new Finding.CannotSay(contradiction.failure());
      case Unknown unknown -> new Finding.NotFound();
      case Unclear unclear -> new Finding.CannotSay(unclear.why());
    };
  }
}
