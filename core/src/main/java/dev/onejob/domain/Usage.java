package dev.onejob.domain;

import org.jspecify.annotations.Nullable;

/**
 * What a provider says that a call has used.
 *
 * @param inputTokens 0 or more; null if it does not say
 * @param outputTokens 0 or more; null if it does not say
 * @param model that has answered, by which the price is looked up; null if it does not say
 */
public record Usage(
    @Nullable Long inputTokens, @Nullable Long outputTokens, @Nullable String model) {
  /** The provider says nothing. */
  public static final Usage UNSAID = new Usage(null, null, null);

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public Usage {
    if (isNegative(inputTokens) || isNegative(outputTokens)) {
      throw new IllegalArgumentException("a number of tokens is 0 or more");
    }
  }

  private static boolean isNegative(@Nullable Long tokens) {
    return tokens != null && tokens < 0;
  }
}
