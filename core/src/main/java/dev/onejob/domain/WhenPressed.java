package dev.onejob.domain;

import java.util.Locale;

/** Whether the fallback button may start an attempt at a provider that has not proved itself. */
public enum WhenPressed {
  /** It may, and the attempt is marked. */
  ALLOW,
  /** It may not. */
  REFUSE;

  /** The word used in configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static WhenPressed of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
