package dev.onejob.domain;

import java.util.regex.Pattern;

/** Who an intent belongs to: a tenant or user. Comes from the credential, never from a body. */
public record Owner(String value) {
  /** How the owners begin that the service itself acts for. */
  public static final String RESERVED = "onejob:";

  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@/-]{0," + (Limits.OWNER_CHARS_MAX - 1) + "}");

  /**
   * Checks the form: 1 to 128 letters, digits and {@code . _ : @ / -}, starting with a letter or
   * digit.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public Owner {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "an owner is 1 to "
              + Limits.OWNER_CHARS_MAX
              + " letters, digits and . _ : @ / -, starting with a letter or digit");
    }
  }

  /** Whether it is one of those that only the service itself acts for: it has no credential. */
  public boolean isReserved() {
    return value.startsWith(RESERVED);
  }

  @Override
  public String toString() {
    return value;
  }
}
