package dev.onejob.domain;

import java.util.Locale;

/** What a queued job waits for besides its time and a slot. */
public enum WaitingFor {
  /** The next provider of the route has no valid qualification. */
  QUALIFICATION,
  /** A person must say how it goes on. */
  DECISION;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static WaitingFor of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
