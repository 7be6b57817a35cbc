package dev.onejob.domain;

import java.util.Locale;

/** How an ended attempt came to its end. */
public enum AttemptEnding {
  /** By its own answer. */
  REPORT,
  /** Out of band, by a resolution. */
  DECISION,
  /** The slot was claimed by another, and nothing more was heard. */
  SILENCE;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static AttemptEnding of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
