package dev.onejob.providers;

import dev.onejob.domain.Limits;
import java.util.Locale;

/** Text of strangers, made fit for a message that is stored, logged and shown. */
public final class Quoted {
  private static final String CUT = " … (cut)";

  private Quoted() {}

  /**
   * The text with control characters and halves of surrogate pairs written as escapes, and what is
   * beyond {@link Limits#MESSAGE_CHARS_MAX} cut off visibly at the end.
   */
  public static String message(String text) {
    return cut(escaped(head(text)), text.length() > Limits.MESSAGE_CHARS_MAX);
  }

  /** Like {@link #message}, after an introduction of our own. */
  public static String message(String introduction, String text) {
    return message(text.isBlank() ? introduction : introduction + ": " + text.strip());
  }

  private static String head(String text) {
    return text.substring(0, Math.min(text.length(), Limits.MESSAGE_CHARS_MAX));
  }

  private static String cut(String text, boolean shortened) {
    if (!shortened && text.length() <= Limits.MESSAGE_CHARS_MAX) {
      return text;
    }
    int end = Math.min(text.length(), Limits.MESSAGE_CHARS_MAX - CUT.length());
    boolean splitsPair = Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, splitsPair ? end - 1 : end) + CUT;
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(out, c));
    return out.toString();
  }

  private static void append(StringBuilder out, int codePoint) {
    boolean lineBreakOrTab = codePoint == '\n' || codePoint == '\t';
    boolean halfPair = Character.getType(codePoint) == Character.SURROGATE;
    if ((Character.isISOControl(codePoint) && !lineBreakOrTab) || halfPair) {
      out.append(String.format(Locale.ROOT, "\\u%04x", codePoint));
    } else {
      out.appendCodePoint(codePoint);
    }
  }
}
