package dev.onejob.providers.command;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of one program, as the schema beside this class describes them. */
record CommandSettings(
    List<String> command,
    @Nullable Map<String, String> environment,
    @Nullable Reading result,
    @Nullable Map<String, Verdict> exitCodes,
    @Nullable Verdict otherwise,
    @Nullable Verdict killed,
    @Nullable Verdict timeout) {

  /** How standard output is read. */
  enum Reading {
    JSON,
    TEXT
  }

  /** What an ending of the program means. */
  enum Verdict {
    FAILED,
    FAILED_RETRYABLE,
    REFUSED,
    REFUSED_RETRYABLE,
    IN_DOUBT
  }

  Reading reading() {
    return result == null ? Reading.JSON : result;
  }

  /** The configured verdict, or doubt. */
  static Verdict orDoubt(@Nullable Verdict configured) {
    return configured == null ? Verdict.IN_DOUBT : configured;
  }
}
