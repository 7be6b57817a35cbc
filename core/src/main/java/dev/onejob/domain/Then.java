package dev.onejob.domain;

import java.util.Locale;

/** How the job goes on after a decision that leaves it without a live attempt. */
public enum Then {
  /** By itself, as after a failure that may be tried again. */
  RETRY,
  /** Only by another decision: the fallback button, or a cancel. */
  WAIT;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static Then of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
