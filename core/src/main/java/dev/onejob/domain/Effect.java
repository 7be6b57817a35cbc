package dev.onejob.domain;

import java.util.Locale;

/** What a duplicate of the act would mean. */
public enum Effect {
  /** The act must not happen twice. */
  EXCLUSIVE,
  /** The provider de-duplicates by a key that we send. */
  KEYED,
  /** A duplicate costs money, nothing else. */
  HARMLESS;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static Effect of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
