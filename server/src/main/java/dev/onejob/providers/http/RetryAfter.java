package dev.onejob.providers.http;

import dev.onejob.domain.Limits;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A provider's wish when to be asked again, within a bound: {@code Retry-After} (RFC 9110, 10.2.3),
 * or {@code retry-after-ms}, which says the same in milliseconds and goes before it.
 */
public final class RetryAfter {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,1000}(\\.[0-9]{1,1000})?");
  private static final int RFC_850_CENTURY = 50;

  private RetryAfter() {}

  /**
   * Reads it from an answer: seconds (a fraction is rounded up to milliseconds), or a date in one
   * of the three forms of RFC 9110, 5.6.7, which is taken relative to the answer's own date.
   *
   * @param now for an answer without a date, and the middle of the century for years of two digits
   * @return null if nothing readable is said; never negative, never longer than a day
   */
  public static @Nullable Duration of(Head head, Instant now) {
    Duration exact = number(head.field("retry-after-ms").orElse(""), BigDecimal.ONE);
    if (exact != null) {
      return exact;
    }
    String text = head.field("Retry-After").orElse("");
    Duration seconds = number(text, BigDecimal.valueOf(1_000));
    if (seconds != null) {
      return seconds;
    }
    Instant until = date(text, now);
    Instant sent = date(head.field("Date").orElse(""), now);
    return until == null ? null : bounded(Duration.between(sent == null ? now : sent, until));
  }

  private static @Nullable Duration number(String text, BigDecimal millis) {
    if (!NUMBER.matcher(text).matches()) {
      return null;
    }
    BigDecimal wish = new BigDecimal(text).multiply(millis).setScale(0, RoundingMode.UP);
    BigDecimal most = BigDecimal.valueOf(Limits.ATTEMPT_TIMEOUT_MAX.toMillis());
    return Duration.ofMillis(wish.min(most).longValueExact());
  }

  private static @Nullable Instant date(String text, Instant now) {
    return forms(now).stream()
        .flatMap(form -> parsed(text, form).stream())
        .findFirst()
        .orElse(null); // a wish that nobody can read is no wish
  }

  private static Optional<Instant> parsed(String text, DateTimeFormatter form) {
    try {
      return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The form of today, that of RFC 850, and that of C's asctime. All are of Greenwich. */
  private static List<DateTimeFormatter> forms(Instant now) {
    int century = now.atZone(ZoneOffset.UTC).getYear() - RFC_850_CENTURY;
    return List.of(
        DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss 'GMT'", Locale.US),
        new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, century)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.US),
        DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US));
  }

  private static Duration bounded(Duration wish) {
    if (wish.isNegative()) {
      return Duration.ZERO;
    }
    return wish.compareTo(Limits.ATTEMPT_TIMEOUT_MAX) > 0 ? Limits.ATTEMPT_TIMEOUT_MAX : wish;
  }
}
