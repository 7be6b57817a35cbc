package dev.onejob.contract;

import dev.onejob.document.Pointers;
import dev.onejob.domain.Limits;

/** JSON pointers into answers, and the texts of breaches: both are bounded. */
final class PathText {
  private PathText() {}

  /** The place of a member. Grows no further once it is too long to be told. */
  static String child(String pointer, String name) {
    return pointer.length() > Limits.BREACH_CHARS_MAX ? pointer : Pointers.child(pointer, name);
  }

  /** The place of an item. */
  static String child(String pointer, int index) {
    return pointer.length() > Limits.BREACH_CHARS_MAX ? pointer : Pointers.child(pointer, index);
  }

  /** A text cut off visibly where it is too long. */
  static String cut(String text) {
    if (text.length() <= Limits.BREACH_CHARS_MAX) {
      return text;
    }
    int end = Limits.BREACH_CHARS_MAX - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }
}
