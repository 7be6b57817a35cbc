package dev.onejob.qualification.check;

import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Ask.Series;
import dev.onejob.qualification.Check;
import dev.onejob.qualification.Judgement;
import dev.onejob.qualification.Judgement.Bearing;
import dev.onejob.qualification.Judgement.Evidence;
import dev.onejob.qualification.Judgement.Verdict;
import dev.onejob.qualification.PassRate;
import dev.onejob.qualification.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Counts what a check finds, question by question, and makes a judgement of it. */
final class Tally {
  /** More of the same says nothing new. */
  private static final int EVIDENCE_MAX = 50;

  private final Check check;
  private final Bearing bearing;
  private final List<Evidence> evidence = new ArrayList<>();
  private final Map<String, PassRate> questions = new LinkedHashMap<>();

  /** The same, with the questions that got no answer counted as wrong. */
  private final Map<String, PassRate> planned = new LinkedHashMap<>();

  Tally(Check check, Bearing bearing) {
    this.check = check;
    this.bearing = bearing;
  }

  /** Does not apply, for this reason. */
  static Judgement notApplicable(Check check, Bearing bearing, String why) {
    return silent(check, bearing, Verdict.NOT_APPLICABLE, why);
  }

  /** Applies, and nothing is known of what it asks for. */
  static Judgement inconclusive(Check check, Bearing bearing, String why) {
    return silent(check, bearing, Verdict.INCONCLUSIVE, why);
  }

  private static Judgement silent(Check check, Bearing bearing, Verdict verdict, String why) {
    return new Judgement(
        check.id(), check.title(), bearing, verdict, new PassRate(0, 0), 0, List.of(), why);
  }

  /** Nothing can be asked that would tell it. */
  Judgement inconclusive(String why) {
    return new Judgement(
        check.id(),
        check.title(),
        bearing,
        Verdict.INCONCLUSIVE,
        new PassRate(0, 0),
        0,
        evidence,
        why);
  }

  void right(Ask ask) {
    count(ask, 1);
  }

  void wrong(Ask ask, String says) {
    count(ask, 0);
    note(ask, says);
  }

  /**
   * It was asked, and what came tells nothing. A gate that would not be passed if the answer had
   * been wrong is not passed without it either.
   */
  void untold(Ask ask, String says) {
    count(planned, ask, 0);
    note(ask, says);
  }

  private void count(Ask ask, int right) {
    count(questions, ask, right);
    count(planned, ask, right);
  }

  private static void count(Map<String, PassRate> rates, Ask ask, int right) {
    String question = ask.series().word();
    if (ask.series() != Series.SYSTEM) { // its places are one question
      question += "/" + ask.about();
    }
    rates.merge(
        question,
        new PassRate(right, 1),
        (a, b) -> new PassRate(a.right() + b.right(), a.asked() + b.asked()));
  }

  /** Worth knowing, and neither right nor wrong. */
  void note(Ask ask, String says) {
    if (evidence.size() < EVIDENCE_MAX) {
      evidence.add(new Evidence(ask.key(), says));
    }
  }

  /**
   * By the threshold of the contract, each question on its own: a provider that fails at one sample
   * is not saved by the others. Answers that were all right prove as much as they can.
   */
  Judgement rated(Promise promise) {
    return judged(promise, rate -> rate.right() == rate.asked() || proves(promise, rate));
  }

  /** The same, where so few answers that they prove too little are no pass either. */
  Judgement proved(Promise promise) {
    return judged(promise, rate -> proves(promise, rate));
  }

  /** Where one wrong answer is one too many: what does not hang on a model's mood. */
  Judgement strict(Promise promise) {
    return judged(promise, rate -> rate.right() == rate.asked());
  }

  private interface Demand {
    boolean metBy(PassRate rate);
  }

  private static boolean proves(Promise promise, PassRate rate) {
    return rate.lowerBound(promise.confidence()) >= promise.passRate();
  }

  private Judgement judged(Promise promise, Demand demand) {
    int right = questions.values().stream().mapToInt(PassRate::right).sum();
    int asked = questions.values().stream().mapToInt(PassRate::asked).sum();
    double worst =
        questions.values().stream()
            .mapToDouble(rate -> rate.lowerBound(promise.confidence()))
            .min()
            .orElse(0);
    Verdict verdict =
        asked == 0
            ? Verdict.INCONCLUSIVE
            : !questions.values().stream().allMatch(demand::metBy)
                ? Verdict.FAILED
                : planned.values().stream().allMatch(demand::metBy)
                    ? Verdict.PASSED
                    : Verdict.INCONCLUSIVE;
    return new Judgement(
        check.id(),
        check.title(),
        bearing,
        verdict,
        new PassRate(right, asked),
        worst,
        evidence,
        asked == 0
            ? "no answer tells anything about it"
            : verdict == Verdict.INCONCLUSIVE
                ? "too many questions got no answer that tells anything about it"
                : "");
  }

  /** In how many of the answers to each question it was right, where not in all. */
  List<Evidence> shortfalls(Promise promise) {
    List<Evidence> all = new ArrayList<>();
    questions.forEach(
        (question, rate) -> {
          if (rate.right() < rate.asked()) {
            all.add(
                new Evidence(
                    question,
                    String.format(
                        Locale.ROOT,
                        "only %d of %d answers keep the contract, which proves a share of %.2f;"
                            + " %.2f is demanded",
                        rate.right(),
                        rate.asked(),
                        rate.lowerBound(promise.confidence()),
                        promise.passRate())));
          }
        });
    return all;
  }
}
