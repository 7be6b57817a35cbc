package dev.onejob.domain;

import java.util.Locale;

/** Who starts an attempt. */
public enum StartCause {
  /** The engine, because the job is due. */
  DISPATCH,
  /** A person or program pressed the fallback button. */
  BUTTON,
  /** The engine, beside an attempt that has been running for as long as its kind says. */
  RACE;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static StartCause of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
