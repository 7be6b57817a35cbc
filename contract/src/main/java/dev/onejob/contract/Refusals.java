package dev.onejob.contract;

import java.util.Locale;

/** What a polite refusal in place of an answer is taken for. */
public enum Refusals {
  /** It breaks the contract. */
  BROKEN,
  /** It is an answer like any other: for kinds whose texts may well begin so. */
  ALLOWED;

  /** Reads the word used in files. */
  public static Refusals of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The word used in files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
