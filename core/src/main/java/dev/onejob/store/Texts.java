package dev.onejob.store;

import dev.onejob.domain.Limits;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts from outside, made fit for a column: bounded, and without what PostgreSQL refuses. */
final class Texts {
  private static final String CUT = "… (cut)";
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private Texts() {}

  /** Control characters but line ends and tabs are shown escaped; a long text is cut visibly. */
  static String message(String text) {
    StringBuilder fit = new StringBuilder(Math.min(text.length(), Limits.MESSAGE_CHARS_MAX));
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      if (fit.length() >= Limits.MESSAGE_CHARS_MAX) {
        return fit.append(CUT).toString();
      }
      append(fit, point);
      i += Character.charCount(point);
    }
    return fit.toString();
  }

  private static void append(StringBuilder fit, int point) {
    boolean plain = point >= ' ' || point == '\n' || point == '\t' || point == '\r';
    boolean surrogate = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    if (plain && !surrogate && point != 0x7F) {
      fit.appendCodePoint(point);
    } else {
      fit.append("\\u%04x".formatted(point));
    }
  }

  /** A failure's code, made fit where an adapter has invented one that is not. */
  static String code(String code) {
    return CODE.matcher(code).matches() ? code : "adapter-code-unfit";
  }

  /** A provider's id of the work; one that cannot be kept whole is not kept. */
  static @Nullable String ref(@Nullable String ref) {
    return ref != null && ref.length() <= Limits.PROVIDER_REF_CHARS_MAX && ref.equals(message(ref))
        ? ref
        : null;
  }

  /** The name of a model as a provider gives it, in the one form that is kept and compared. */
  static @Nullable String model(@Nullable String model) {
    if (model == null || model.isEmpty()) {
      return null;
    }
    String fit = message(model);
    int points = fit.codePointCount(0, fit.length());
    return points <= Limits.MODEL_CHARS_MAX
        ? fit
        : fit.substring(0, fit.offsetByCodePoints(0, Limits.MODEL_CHARS_MAX));
  }

  static @Nullable String cut(@Nullable String text) {
    return text == null ? null : message(text);
  }
}
