package dev.onejob.domain;

import java.util.Locale;

/** How much a piece of evidence may decide. */
public enum Strength {
  /** It ends a doubt by itself. */
  PROOF,
  /** It is kept for people, and a reason to ask again. */
  HINT;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
