package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Judgement.Evidence;
import dev.onejob.qualification.Judgement.Verdict;
import dev.onejob.qualification.PassRate;
import dev.onejob.qualification.Promise;
import java.util.ArrayList;
import java.util.List;

/** Counts what a check finds, and makes a judgement of it. */
final class Tally {
  /** More of the same says nothing new. */
  private static final int EVIDENCE_MAX = 50;

  private final Check check;
  private final Bearing bearing;
  private final List<Evidence> evidence = new ArrayList<>();
  private int right;
  private int asked;

  Tally(Check check, Bearing bearing) {
    this.check = check;
    this.bearing = bearing;
  }

  /** Does not apply, for this reason. */
  static Judgement notApplicable(Check check, Bearing bearing, String why) {
    return new Judgement(
        check.id(),
        check.title(),
        bearing,
        Verdict.NOT_APPLICABLE,
        new PassRate(0, 0),
        List.of(),
        why);
  }

  void right() {
    asked++;
    right++;
  }

  void wrong(Ask ask, String says) {
    asked++;
    note(ask, says);
  }

  /** Worth knowing, and neither right nor wrong. */
  void note(Ask ask, String says) {
    if (evidence.size() < EVIDENCE_MAX) {
      evidence.add(new Evidence(ask.key(), says));
    }
  }

  /** By the thresholds of the contract. */
  Judgement rated(Promise promise) {
    return judged(promise.passRate(), promise.lowerBound());
  }

  /** Where one wrong answer is one too many: what does not hang on a model's mood. */
  Judgement strict() {
    return judged(1, 0);
  }

  private Judgement judged(double passRate, double lowerBound) {
    PassRate rate = new PassRate(right, asked);
    Verdict verdict;
    if (asked == 0) {
      verdict = Verdict.INCONCLUSIVE;
    } else {
      boolean passes = rate.share() >= passRate && rate.lowerBound() >= lowerBound;
      verdict = passes ? Verdict.PASSED : Verdict.FAILED;
    }
    String note = asked == 0 ? "no answer tells anything about it" : "";
    return new Judgement(check.id(), check.title(), bearing, verdict, rate, evidence, note);
  }
}
