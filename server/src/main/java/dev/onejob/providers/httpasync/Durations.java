package dev.onejob.providers.httpasync;

import dev.onejob.providers.InvalidSetting;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations in settings: a whole number and {@code ms}, {@code s}, {@code m}, {@code h}, {@code d}.
 */
final class Durations {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private Durations() {}

  /** Null stays null. */
  static @Nullable Duration of(@Nullable String text, String pointer) {
    return text == null ? null : read(text, pointer);
  }

  private static Duration read(String text, String pointer) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new InvalidSetting(pointer, "expected a duration such as 500ms, 30s, 5m or 1h");
    }
    long amount = Long.parseLong(form.group(1));
    Duration read =
        switch (form.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        };
    if (!read.isPositive()) {
      throw new InvalidSetting(pointer, "expected more than nothing");
    }
    return read;
  }
}
