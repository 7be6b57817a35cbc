package dev.onejob.qualification;

import java.util.List;
import java.util.Locale;

/**
 * What one check makes of a run.
 *
 * @param check its id, such as {@code Q4}
 * @param title in a few words
 * @param rate over what it could tell of; nothing was asked where it does not apply
 * @param lowerBound of the share of right answers to the question that went worst, with the
 *     contract's confidence
 * @param evidence what was wrong, or worth knowing; each names the question
 * @param note why it does not apply, or what the figures mean; may be empty
 */
public record Judgement(
    String check,
    String title,
    Bearing bearing,
    Verdict verdict,
    PassRate rate,
    double lowerBound,
    List<Evidence> evidence,
    String note) {
  /** Copies the list. */
  public Judgement {
    evidence = List.copyOf(evidence);
  }

  /** What hangs on a check. */
  public enum Bearing {
    /** Without it there is no pass. */
    GATE,
    /** It is told, and nothing hangs on it. */
    REPORT;

    /** The word in JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What it says. */
  public enum Verdict {
    PASSED,
    FAILED,
    /** It was asked, and no answer tells anything. */
    INCONCLUSIVE,
    /** It asks for what this provider or contract does not have. */
    NOT_APPLICABLE;

    /** The word in JSON. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What was wrong with the answer to one question. */
  public record Evidence(String ask, String says) {}

  /** Whether it stands in the way of a pass. */
  public boolean blocks() {
    return bearing == Bearing.GATE
        && (verdict == Verdict.FAILED || verdict == Verdict.INCONCLUSIVE);
  }
}
