package dev.onejob.domain;

/**
 * The idempotency key: 1 to 255 visible ASCII characters, case-sensitive, never trimmed or changed.
 */
public record IntentKey(String value) {
  /**
   * Checks the form.
   *
   * @throws IllegalArgumentException naming the first character that may not be there, or the
   *     length
   */
  public IntentKey {
    if (value.isEmpty() || value.length() > Limits.KEY_CHARS_MAX) {
      throw new IllegalArgumentException(
          "an idempotency key has 1 to "
              + Limits.KEY_CHARS_MAX
              + " characters, this one has "
              + value.length());
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '!' || value.charAt(i) > '~') {
        throw new IllegalArgumentException(
            "an idempotency key is visible ASCII only; character "
                + (i + 1)
                + " is U+%04X".formatted((int) value.charAt(i)));
      }
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
