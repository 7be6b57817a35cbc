package dev.onejob.providers.http;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;

/** What became of a request. */
public sealed interface Reply {
  /** Proof that not one byte of the request left. */
  record NotSent(Failure why) implements Reply {
    /** As every adapter takes it: stopped if a stop was the reason, else to be tried again. */
    public Outcome outcome() {
      return why.code().equals(OnePost.STOP_ASKED)
          ? new Outcome.Stopped("stopped before the request left")
          : new Outcome.Refused(why, Retryability.RETRYABLE, null);
    }
  }

  /** A byte of the request may have left, and no whole answer came back. */
  record NoAnswer(Failure why) implements Reply {}

  /** The answer is larger than what was asked for; it was not read to its end. */
  record TooLarge(Head head) implements Reply {}

  /** The whole answer. */
  record Answer(Head head, byte[] body) implements Reply {}
}
