package dev.onejob.contract;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Patterns of JSON Schema (ECMA-262 with the flag {@code u}), on an engine that takes time linear
 * in the text. What has no such bound, look-around and references back, is refused when the
 * contract is read.
 */
final class LinearPattern {
  /** Longest pattern, in characters. */
  static final int CHARS_MAX = 2_000;

  private static final String SPACE =
      "\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}"
          + "\\x{FEFF}";

  private final Pattern pattern;

  private LinearPattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /**
   * Compiles a pattern.
   *
   * @throws IllegalArgumentException saying what is wrong, or what has no bound in time
   */
  static LinearPattern of(String ecma) {
    if (ecma.length() > CHARS_MAX) {
      throw new IllegalArgumentException("is longer than " + CHARS_MAX + " characters");
    }
    try {
      return new LinearPattern(Pattern.compile(translated(ecma)));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "is no pattern that can be matched in linear time: " + e.getDescription(), e);
    }
  }

  /** Whether it matches anywhere in the text. */
  boolean find(String text) {
    return pattern.matcher(text).find();
  }

  /** The same pattern in the words of RE2. */
  private static String translated(String ecma) {
    StringBuilder re2 = new StringBuilder(ecma.length() + 16);
    boolean inClass = false;
    for (int i = 0; i < ecma.length(); i++) {
      char c = ecma.charAt(i);
      if (c == '\\') {
        i = escape(ecma, i + 1, inClass, re2);
      } else if (c == '(' && isLook(ecma, i)) {
        throw new IllegalArgumentException("uses look-around, which has no bound in time");
      } else if (c == '(' && ecma.startsWith("(?<", i)) {
        re2.append("(?P<");
        i += 2;
      } else if (c == '$' && !inClass) {
        re2.append("\\z"); // the end of the text, and not also before a line break at its end
      } else {
        inClass = c == '[' || (inClass && c != ']');
        re2.append(c == '[' && inClass && i > 0 && isOpen(re2) ? "\\[" : String.valueOf(c));
      }
    }
    return re2.toString();
  }

  /** Whether what is written so far ends inside of a class. */
  private static boolean isOpen(StringBuilder re2) {
    boolean open = false;
    for (int i = 0; i < re2.length(); i++) {
      char c = re2.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '[') {
        open = true;
      } else if (c == ']') {
        open = false;
      }
    }
    return open;
  }

  private static boolean isLook(String ecma, int at) {
    return ecma.startsWith("(?=", at)
        || ecma.startsWith("(?!", at)
        || ecma.startsWith("(?<=", at)
        || ecma.startsWith("(?<!", at);
  }

  /** Writes the escape whose letter stands there; gives where it ends. */
  private static int escape(String ecma, int at, boolean inClass, StringBuilder re2) {
    if (at >= ecma.length()) {
      throw new IllegalArgumentException("ends in a backslash");
    }
    char c = ecma.charAt(at);
    switch (c) {
      case 's' -> re2.append(inClass ? SPACE : "[" + SPACE + "]");
      case 'S' -> {
        if (inClass) {
          throw new IllegalArgumentException("has \\S inside of a class; write the class out");
        }
        re2.append("[^").append(SPACE).append(']');
      }
      case 'u' -> {
        return unicode(ecma, at, re2);
      }
      case 'c' -> {
        char control = at + 1 < ecma.length() ? ecma.charAt(at + 1) : '?';
        if (!Character.isLetter(control) || control > 'z') {
          throw new IllegalArgumentException("has \\c without a letter");
        }
        re2.append("\\x{%x}".formatted(control % 32));
        return at + 1;
      }
      case 'p', 'P' -> {
        return property(ecma, at, re2);
      }
      case '0' -> re2.append("\\x{0}");
      case 'd', 'D', 'w', 'W', 'b', 'B', 't', 'n', 'r', 'f', 'v', 'x' -> re2.append('\\').append(c);
      case '1', '2', '3', '4', '5', '6', '7', '8', '9', 'k' ->
          throw new IllegalArgumentException("refers back, which has no bound in time");
      default -> {
        if (Character.isLetterOrDigit(c)) {
          throw new IllegalArgumentException("has the escape \\" + c + ", which is not known");
        }
        re2.append('\\').append(c);
      }
    }
    return at;
  }

  private static int unicode(String ecma, int at, StringBuilder re2) {
    boolean braced = at + 1 < ecma.length() && ecma.charAt(at + 1) == '{';
    int start = braced ? at + 2 : at + 1;
    int end = braced ? ecma.indexOf('}', start) : at + 5;
    if (end < start || end > ecma.length()) {
      throw new IllegalArgumentException("has \\u without a code");
    }
    int code;
    try {
      code = Integer.parseInt(ecma.substring(start, end), 16);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("has \\u without a code", e);
    }
    if (!braced && Character.isHighSurrogate((char) code) && ecma.startsWith("\\u", end)) {
      int low = Integer.parseInt(ecma.substring(end + 2, Math.min(end + 6, ecma.length())), 16);
      re2.append("\\x{%x}".formatted(Character.toCodePoint((char) code, (char) low)));
      return end + 5;
    }
    re2.append("\\x{%x}".formatted(code));
    return braced ? end : end - 1;
  }

  /** RE2 knows categories by one or two letters, and scripts by their bare names. */
  private static int property(String ecma, int at, StringBuilder re2) {
    int end = ecma.indexOf('}', at);
    if (at + 1 >= ecma.length() || ecma.charAt(at + 1) != '{' || end < 0) {
      throw new IllegalArgumentException("has \\" + ecma.charAt(at) + " without a property");
    }
    String name = ecma.substring(at + 2, end);
    String bare = name.substring(name.indexOf('=') + 1);
    String known =
        switch (bare) {
          case "Letter" -> "L";
          case "Lowercase_Letter" -> "Ll";
          case "Uppercase_Letter" -> "Lu";
          case "Number" -> "N";
          case "Decimal_Number", "digit" -> "Nd";
          case "Punctuation", "punct" -> "P";
          case "Symbol" -> "S";
          case "Mark" -> "M";
          case "Separator" -> "Z";
          case "Control", "cntrl" -> "Cc";
          default -> bare;
        };
    re2.append('\\').append(ecma.charAt(at)).append('{').append(known).append('}');
    return end;
  }
}
