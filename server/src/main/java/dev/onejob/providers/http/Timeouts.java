package dev.onejob.providers.http;

import dev.onejob.domain.Limits;
import dev.onejob.providers.InvalidSetting;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How long the steps of a request may take. The whole is bounded besides, by whoever sends it.
 *
 * @param connect for one address to answer, and as long again for each step of TLS. Nothing has
 *     left when it is over
 * @param firstByte from the request being written to the first byte of an answer; null: as long as
 *     anyone listens
 * @param silence between two arrivals of bytes of one answer; null: as long as anyone listens
 */
public record Timeouts(Duration connect, @Nullable Duration firstByte, @Nullable Duration silence) {
  /** Only the connection is bounded. */
  public static final Timeouts PLAIN = new Timeouts(Duration.ofSeconds(10), null, null);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  /**
   * Checks that each is a time that a socket can wait.
   *
   * @throws IllegalArgumentException if one is not positive, or longer than a day
   */
  public Timeouts {
    check(connect);
    if (firstByte != null) {
      check(firstByte);
    }
    if (silence != null) {
      check(silence);
    }
  }

  private static void check(Duration timeout) {
    if (timeout.toMillis() < 1 || timeout.compareTo(Limits.ATTEMPT_TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException("a timeout is between 1 ms and a day, not " + timeout);
    }
  }

  /**
   * Reads them from the settings {@code connect_timeout}, {@code first_byte_timeout} and {@code
   * silence_timeout}.
   *
   * @throws InvalidSetting naming the one that is no time, zero, or longer than a day
   */
  public static Timeouts of(
      @Nullable String connect, @Nullable String firstByte, @Nullable String silence) {
    return new Timeouts(
        connect == null ? PLAIN.connect() : setting(connect, "/connect_timeout"),
        firstByte == null ? null : setting(firstByte, "/first_byte_timeout"),
        silence == null ? null : setting(silence, "/silence_timeout"));
  }

  /**
   * Reads a time such as {@code 500ms}, {@code 5s}, {@code 2m} or {@code 1h}.
   *
   * @param pointer where it stands in the settings
   * @throws InvalidSetting if it is none, zero, or longer than a day
   */
  public static Duration setting(String text, String pointer) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      Duration timeout = unit(form.group(2)).multipliedBy(Long.parseLong(form.group(1)));
      if (timeout.isPositive() && timeout.compareTo(Limits.ATTEMPT_TIMEOUT_MAX) <= 0) {
        return timeout;
      }
    }
    throw new InvalidSetting(
        pointer, "expected a duration such as 500ms, 5s, 2m or 1h, up to a day, not 0");
  }

  private static Duration unit(String word) {
    return switch (word) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      default -> Duration.ofHours(1);
    };
  }
}
