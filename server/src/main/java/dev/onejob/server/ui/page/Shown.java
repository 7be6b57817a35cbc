package dev.onejob.server.ui.page;

import dev.onejob.domain.Money;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How times, ages and counts are shown. Numbers of people's own are never touched by this. */
public final class Shown {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Shown() {}

  /** A moment in UTC, to the millisecond. */
  public static String time(Instant at) {
    return TIME.format(at);
  }

  /** The time from one moment to another by its two largest units; never below nothing. */
  public static String age(Instant from, Instant to) {
    return duration(Duration.between(from, to));
  }

  /** A length of time by its two largest units, such as {@code 3 m 12 s}; never below nothing. */
  public static String duration(Duration length) {
    Duration positive = length.isNegative() ? Duration.ZERO : length;
    long seconds = positive.toSeconds();
    if (seconds < 1) {
      return positive.toMillis() + " ms";
    }
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3_600) {
      return seconds / 60 + " m " + seconds % 60 + " s";
    }
    if (seconds < 86_400) {
      return seconds / 3_600 + " h " + seconds % 3_600 / 60 + " m";
    }
    return seconds / 86_400 + " d " + seconds % 86_400 / 3_600 + " h";
  }

  /** A count, in groups of three digits. */
  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A count that ended at a bound: beyond it, that there are more. */
  public static String upTo(long count, long most) {
    return count > most ? count(most) + "+" : count(count);
  }

  /** Amounts of money, exact; of none, that there is none. */
  public static String money(List<Money> amounts) {
    return amounts.isEmpty()
        ? "none"
        : amounts.stream()
            .map(each -> each.digits() + " " + each.currency())
            .collect(Collectors.joining(", "));
  }

  /** Whatever it is as text; of nothing, nothing. */
  public static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
