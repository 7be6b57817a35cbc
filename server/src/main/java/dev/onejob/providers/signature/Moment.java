package dev.onejob.providers.signature;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** When a message was signed, by its own account: seconds since 1970. */
final class Moment {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

  private Moment() {}

  /** Whether it is a moment at all, and neither too long ago nor too far ahead. */
  static boolean isNear(String seconds, Instant now, Duration tolerance) {
    return SECONDS.matcher(seconds).matches()
        && Duration.between(Instant.ofEpochSecond(Long.parseLong(seconds)), now)
                .abs()
                .compareTo(tolerance)
            <= 0;
  }
}
