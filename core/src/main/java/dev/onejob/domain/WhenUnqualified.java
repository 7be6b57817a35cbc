package dev.onejob.domain;

import java.util.Locale;

/** What a job does when the only provider left to try has no valid qualification. */
public enum WhenUnqualified {
  /**
   * It stays queued, waiting for {@link WaitingFor#QUALIFICATION}, as long as its deadline allows.
   */
  WAIT,
  /** It fails with {@link Failure#NO_QUALIFIED_PROVIDER}. */
  FAIL;

  /** The word used in SQL and configuration. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static WhenUnqualified of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
