package dev.onejob.domain;

import java.util.Locale;

/** What a resolution says about an attempt. */
public enum Verdict {
  /** It did not act. */
  NOT_DONE,
  /** It acted, and here is the result. */
  DONE,
  /** It is still at work. */
  STILL_RUNNING,
  /** Whatever it did or does, its result is no longer wanted. */
  ABANDON;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static Verdict of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
