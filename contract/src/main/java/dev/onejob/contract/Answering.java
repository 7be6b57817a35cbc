package dev.onejob.contract;

import dev.onejob.domain.Result;
import java.util.Locale;

/** How an answer is read. */
public enum Answering {
  /** The whole answer is one JSON value, with nothing around it but white space. */
  JSON,
  /** The answer is text in UTF-8, as it came. */
  TEXT,
  /** The answer is a JSON object with {@code media_type} and {@code data} in base 64. */
  MEDIA;

  /** The word used in files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static Answering of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** The form in which such a result is stored. */
  public Result.Format format() {
    return this == TEXT ? Result.Format.TEXT : Result.Format.JSON;
  }
}
