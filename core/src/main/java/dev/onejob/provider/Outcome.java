package dev.onejob.provider;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a call. */
public sealed interface Outcome {
  /**
   * Definitely no work was done: not sent, or turned away before any work.
   *
   * @param retryAfter the provider's own wish, or null
   */
  record Refused(Failure failure, Retryability retryability, @Nullable Duration retryAfter)
      implements Outcome {}

  /**
   * Definitely over without a usable result; work may have been done and charged.
   *
   * @param retryAfter the provider's own wish, or null
   */
  record Failed(Failure failure, Retryability retryability, @Nullable Duration retryAfter)
      implements Outcome {}

  /**
   * Here is the result.
   *
   * @param cost what the provider says it cost, in its own words; null if it says nothing
   */
  record Succeeded(Result result, @Nullable String cost) implements Outcome {}

  /** It cannot be known from here whether the act happened. */
  record InDoubt(Failure reason) implements Outcome {}

  /** Proof that the work was stopped, after a stop had been asked. */
  record Stopped(String message) implements Outcome {}
}
