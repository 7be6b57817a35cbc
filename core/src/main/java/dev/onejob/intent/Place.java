package dev.onejob.intent;

import dev.onejob.domain.Limits;

/**
 * A JSON pointer (RFC 6901) as it is built and as a message shows it. Its names come from outside,
 * so it is bounded, and in a message nothing of it can pass for something else.
 */
final class Place {
  private final StringBuilder pointer = new StringBuilder();

  /** Goes one step in: an index, or a member name. */
  void into(String step) {
    if (pointer.length() <= Limits.JSON_POINTER_CHARS_MAX) {
      pointer.append('/').append(step.replace("~", "~0").replace("/", "~1"));
    }
  }

  /** The pointer, cut off visibly where it is too long. */
  String pointer() {
    int end = Limits.JSON_POINTER_CHARS_MAX;
    if (pointer.length() <= end) {
      return pointer.toString();
    }
    return pointer.substring(0, isInsidePair(end) ? end - 1 : end) + "…";
  }

  private boolean isInsidePair(int at) {
    return Character.isSurrogatePair(pointer.charAt(at - 1), pointer.charAt(at));
  }

  /** A pointer for a message: control and format characters and half pairs are escaped. */
  static String shown(String pointer) {
    if (pointer.isEmpty()) {
      return "the top";
    }
    StringBuilder shown = new StringBuilder(pointer.length());
    pointer.codePoints().forEach(point -> append(shown, point));
    return shown.toString();
  }

  private static void append(StringBuilder shown, int point) {
    switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          shown.append("\\u").append("%04x".formatted(point));
      default -> shown.appendCodePoint(point);
    }
  }
}
