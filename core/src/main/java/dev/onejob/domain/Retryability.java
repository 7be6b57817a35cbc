package dev.onejob.domain;

import java.util.Locale;

/** Whether a definite ending may be tried again at the same provider. */
public enum Retryability {
  /** Trying again may help. */
  RETRYABLE,
  /** Trying again would end the same way. */
  FINAL;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static Retryability of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
