package dev.onejob.domain;

import java.util.regex.Pattern;

/** The form of names that people choose in a configuration: kinds, providers, nodes. */
public final class Names {
  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (Limits.NAME_CHARS_MAX - 1) + "}");

  /** How the names of what the service brings along begin; nobody else may use them. */
  public static final String RESERVED = "onejob.";

  private Names() {}

  /** Whether the text has the form of a name. */
  public static boolean fits(String name) {
    return FORM.matcher(name).matches();
  }

  /** Whether a name is kept for what the service brings along. */
  public static boolean isReserved(String name) {
    return name.startsWith(RESERVED);
  }

  /**
   * Checks a name: 1 to 64 letters, digits and {@code . _ -}, starting with a letter or digit.
   *
   * @param what for the message, such as {@code kind}
   * @return the name
   * @throws IllegalArgumentException if it has another form
   */
  public static String checked(String what, String name) {
    if (!fits(name)) {
      throw new IllegalArgumentException(
          what
              + " "
              + name
              + ": a name is 1 to "
              + Limits.NAME_CHARS_MAX
              + " letters, digits and . _ -, starting with a letter or digit");
    }
    return name;
  }
}
