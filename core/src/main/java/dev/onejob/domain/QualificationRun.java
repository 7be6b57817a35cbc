package dev.onejob.domain;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One run of a qualification, as it is read.
 *
 * @param asked questions in all
 * @param answered of them that have come to an end
 * @param endedAt null while it can be carried on
 * @param report what the checks say, as JSON; null until it was judged, and in lists
 * @param transcript every question with its answer, as JSON; null like the report
 */
public record QualificationRun(
    RunId id,
    Subject subject,
    String requestedBy,
    State state,
    int asked,
    int answered,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable String report,
    @Nullable String transcript) {

  /**
   * What is proved, and for what.
   *
   * @param binding a digest of settings and adapter version
   */
  public record Subject(String kind, String provider, String contractHash, String binding) {}

  /** Where it stands. */
  public enum State {
    RUNNING,
    STOPPED,
    PASSED,
    /** An answer was wrong. */
    FAILED,
    /** Nothing was wrong, and not enough is known for a pass. */
    INCONCLUSIVE,
    /** Contract or provider changed before it ended; a new run has to be made. */
    OUTDATED;

    /** The word used in SQL and JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}. */
    public static State of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
