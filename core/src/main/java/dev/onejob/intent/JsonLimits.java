package dev.onejob.intent;

import dev.onejob.domain.Limits;

/**
 * Bounds of one reading.
 *
 * @param stringCharsMax of a string or member name, in characters after unescaping
 */
public record JsonLimits(int bytesMax, int depthMax, int numberCharsMax, int stringCharsMax) {
  /** For the input of a job. */
  public static final JsonLimits INPUT = of(Limits.INPUT_BYTES_MAX);

  /** For the body of a request. */
  public static final JsonLimits BODY = of(Limits.BODY_BYTES_MAX);

  /** For the result of a provider. */
  public static final JsonLimits RESULT = of(Limits.RESULT_BYTES_MAX);

  private static JsonLimits of(int bytesMax) {
    return new JsonLimits(
        bytesMax,
        Limits.JSON_DEPTH_MAX,
        Limits.JSON_NUMBER_CHARS_MAX,
        Limits.JSON_STRING_CHARS_MAX);
  }
}
