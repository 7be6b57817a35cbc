package dev.onejob.domain;

import java.util.Locale;

/**
 * What an attempt brought.
 *
 * @param bytes UTF-8 JSON or UTF-8 text, as the format says; not copied, not to be changed
 */
public record Result(Format format, byte[] bytes) {
  /** How the bytes are to be read. */
  public enum Format {
    JSON,
    TEXT;

    /** The word used in SQL and JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}. */
    public static Format of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
