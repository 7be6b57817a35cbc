package dev.onejob.providers.http;

import dev.onejob.domain.Limits;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A provider's wish when to be asked again (RFC 9110, 10.2.3), within a bound. */
public final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]+");
  private static final int DIGITS_MAX = 9;

  private RetryAfter() {}

  /**
   * Reads it from an answer: seconds, or a date, which is taken relative to the answer's own date.
   *
   * @param now for an answer without a date
   * @return null if nothing readable is said; never negative, never longer than a day
   */
  public static @Nullable Duration of(Head head, Instant now) {
    String text = head.field("Retry-After").orElse("");
    if (SECONDS.matcher(text).matches()) {
      return bounded(
          text.length() > DIGITS_MAX
              ? Limits.ATTEMPT_TIMEOUT_MAX
              : Duration.ofSeconds(Long.parseLong(text)));
    }
    Instant until = date(text);
    Instant sent = date(head.field("Date").orElse(""));
    return until == null ? null : bounded(Duration.between(sent == null ? now : sent, until));
  }

  private static @Nullable Instant date(String text) {
    try {
      return text.isEmpty() ? null : Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
    } catch (DateTimeException e) {
      return null; // a wish that nobody can read is no wish
    }
  }

  private static Duration bounded(Duration wish) {
    if (wish.isNegative()) {
      return Duration.ZERO;
    }
    return wish.compareTo(Limits.ATTEMPT_TIMEOUT_MAX) > 0 ? Limits.ATTEMPT_TIMEOUT_MAX : wish;
  }
}
