package dev.onejob.server.access;

import java.util.Locale;

/** What the holder of a key may do. */
public enum Role {
  /** Submits, reads and moves the jobs of its own owner. */
  CLIENT,
  /** Claims attempts and works on them. */
  WORKER,
  /** Sees and moves every job, ends doubts, and looks after the keys. */
  OPERATOR;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static Role of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
