package dev.onejob.domain;

import java.util.Locale;

/** Where an attempt is; the first three are live. */
public enum AttemptState {
  /** Written down; nothing is known to have been accepted. */
  STARTING,
  /** The provider acknowledged it. */
  RUNNING,
  /** In doubt: it may have acted, be acting, or never have begun. */
  UNKNOWN,
  /** Its result claimed the slot of the job. */
  SUCCEEDED,
  /** It definitely did not do the act, or did it in vain. */
  FAILED,
  /** Proved to be stopped, or abandoned by a decision. */
  CANCELLED,
  /** It finished, or fell silent, after another had claimed the slot. */
  LOST;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static AttemptState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Whether the attempt may still act or answer. */
  public boolean live() {
    return switch (this) {
      case STARTING, RUNNING, UNKNOWN -> true;
      case SUCCEEDED, FAILED, CANCELLED, LOST -> false;
    };
  }
}
