package dev.onejob.server.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 500ms}, {@code 5s}, {@code 2m}, {@code 1h}, {@code 1d}.
 */
public final class DurationText {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})(ms|s|m|h|d)");

  private DurationText() {}

  /** Reads a duration; empty if the text is none. */
  public static Optional<Duration> parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(form.group(1));
    return Optional.of(
        switch (form.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        });
  }
}
