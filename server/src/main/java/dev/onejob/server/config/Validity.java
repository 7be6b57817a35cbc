package dev.onejob.server.config;

import java.time.Duration;

/**
 * For how long a pass of a kind holds.
 *
 * @param validFor from the end of the run
 * @param renewBefore so long before it expires, it is made anew; zero: never by itself
 */
public record Validity(Duration validFor, Duration renewBefore) {
  /** A month, renewed in its last three days. */
  public static final Validity USUAL = of(Duration.ofDays(30));

  private static final int RENEWED_IN_ITS_LAST = 10;

  /** Renewed in its last tenth. */
  public static Validity of(Duration validFor) {
    return new Validity(validFor, validFor.dividedBy(RENEWED_IN_ITS_LAST));
  }
}
