package dev.onejob.provider;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
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
   * @param cost what the provider says it cost, in its own words; null if it says nothing
   * @param usage what the provider says it used; {@link Usage#UNSAID} leaves the price unknown
   */
  record Failed(
      Failure failure,
      Retryability retryability,
      @Nullable Duration retryAfter,
      @Nullable String cost,
      Usage usage)
      implements Outcome {
    /** Of which the provider does not say what it used. */
    public Failed(Failure failure, Retryability retryability, @Nullable Duration retryAfter) {
      this(failure, retryability, retryAfter, null, Usage.UNSAID);
    }
  }

  /**
   * Here is the result.
   *
   * @param cost what the provider says it cost, in its own words; null if it says nothing
   * @param usage what the provider says it used
   */
  record Succeeded(Result result, @Nullable String cost, Usage usage) implements Outcome {
    /** Of which the provider does not say what it used. */
    public Succeeded(Result result, @Nullable String cost) {
      this(result, cost, Usage.UNSAID);
    }
  }

  /** It cannot be known from here whether the act happened. */
  record InDoubt(Failure reason) implements Outcome {}

  /** Proof that the work was stopped, after a stop had been asked. */
  record Stopped(String message) implements Outcome {}
}
