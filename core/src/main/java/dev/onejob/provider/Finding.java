package dev.onejob.provider;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a provider says when it is asked about an attempt that is in doubt. How much each answer
 * proves follows from the provider's {@link Capabilities}, not from the answer.
 */
public sealed interface Finding {
  /**
   * It is done, and here is the result.
   *
   * @param cost what the provider says it cost, in its own words; null if it says nothing
   * @param usage what the provider says it used; {@link Usage#UNSAID} leaves the price unknown
   */
  record Succeeded(Result result, @Nullable String cost, Usage usage) implements Finding {
    /** Of which the provider does not say what it used. */
    public Succeeded(Result result, @Nullable String cost) {
      this(result, cost, Usage.UNSAID);
    }
  }

  /**
   * It is known, was refused or has failed, and brings no result.
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
      implements Finding {
    /** Of which the provider does not say what it used. */
    public Failed(Failure failure, Retryability retryability, @Nullable Duration retryAfter) {
      this(failure, retryability, retryAfter, null, Usage.UNSAID);
    }
  }

  /** It is known, and was stopped before it brought a result. */
  record Stopped(String message) implements Finding {}

  /**
   * It is known and has not ended.
   *
   * @param providerRef the provider's id of the work, if it says one; at most {@link
   *     dev.onejob.domain.Limits#PROVIDER_REF_CHARS_MAX} characters are kept
   */
  record AtWork(@Nullable String providerRef) implements Finding {}

  /** The provider knows of no such request: for good, or not yet, as its capabilities say. */
  record NotFound() implements Finding {}

  /** Nothing was learned: it could not be asked, or gave no answer that can be understood. */
  record CannotSay(Failure why) implements Finding {}
}
