package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * How a caller would like to be answered: by the parameter {@code wait} or by {@code Prefer} (RFC
 * 7240). A preference that cannot be read is no preference; a parameter that cannot be read is an
 * error.
 *
 * @param atMost how long the answer may be held; zero: not at all
 * @param form how much of the job is answered
 * @param applied the preferences that are heeded, as {@code Preference-Applied} says them
 */
public record Waiting(Duration atMost, Form form, List<String> applied) {
  /** The parameter and the preference have one name. */
  public static final String PARAMETER = "wait";

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

  /** How much is answered. */
  public enum Form {
    /** The whole job. */
    REPRESENTATION,
    /** Its id alone, without another look at the database. */
    MINIMAL
  }

  /** Reads both places; the parameter goes first. */
  public static Waiting of(Context ctx, Parameters parameters) {
    List<String> applied = new ArrayList<>();
    Long asked =
        parameters.read(PARAMETER, "a whole number of seconds from 0", Waiting::wholeSeconds);
    Form form = Form.REPRESENTATION;
    long seconds = asked == null ? 0 : asked;
    for (String preference : preferences(ctx)) {
      OptionalLong wait = waitOf(preference);
      if (wait.isPresent() && asked == null) {
        asked = wait.getAsLong();
        seconds = asked;
        applied.add("wait=" + capped(seconds).toSeconds());
      } else if (preference.equals("return=minimal") && form == Form.REPRESENTATION) {
        form = Form.MINIMAL;
        applied.add(preference);
      }
    }
    return new Waiting(capped(seconds), form, List.copyOf(applied));
  }

  private static long wholeSeconds(String text) {
    if (!DIGITS.matcher(text).matches()) {
      throw new IllegalArgumentException(text);
    }
    return Long.parseLong(text);
  }

  private static Duration capped(long seconds) {
    return Duration.ofSeconds(Math.min(seconds, Limits.WAIT_MAX.toSeconds()));
  }

  private static OptionalLong waitOf(String preference) {
    if (!preference.startsWith("wait=")) {
      return OptionalLong.empty();
    }
    String value = preference.substring("wait=".length());
    return DIGITS.matcher(value).matches()
        ? OptionalLong.of(Long.parseLong(value))
        : OptionalLong.empty();
  }

  /** The preferences of all header lines without their parameters, in one spelling. */
  private static List<String> preferences(Context ctx) {
    Enumeration<String> lines = ctx.req().getHeaders("Prefer");
    if (!lines.hasMoreElements()) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    while (lines.hasMoreElements()) {
      for (String item : lines.nextElement().split(",", -1)) {
        String preference = item.split(";", 2)[0];
        found.add(preference.replaceAll("[\\s\"]", "").toLowerCase(Locale.ROOT));
      }
    }
    return found;
  }
}
