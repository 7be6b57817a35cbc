package dev.onejob.domain;

import java.time.Duration;
import java.util.Locale;

/**
 * What a kind's operator wrote down for its doubts: when nothing else has ended one in time, the
 * rule does. It is the kind's present rule on the node that sweeps, and may be added for jobs that
 * are in doubt already.
 *
 * @param after how long an attempt has been in doubt, by the database clock
 * @param verdict only {@link Verdict#ABANDON}: time alone tells nobody what an attempt did
 * @param then how the job goes on
 */
public record UnknownRule(Duration after, Verdict verdict, Then then) {
  /**
   * Checks the rule.
   *
   * @throws IllegalArgumentException naming the setting
   */
  public UnknownRule {
    if (!after.isPositive()) {
      throw new IllegalArgumentException("unknown.after: must be positive");
    }
    if (verdict != Verdict.ABANDON) {
      throw new IllegalArgumentException(
          "unknown.verdict: a rule can only abandon; time does not tell that an attempt is "
              + verdict.word());
    }
  }

  /** The rule in words, as the record of its decisions has it. */
  public String inWords(String kind) {
    return "rule of the kind %s: in doubt for %s: %s, then %s"
        .formatted(kind, inWords(after), verdict.word(), then.word());
  }

  /** As in a configuration: {@code 15m}, {@code 1h30m}. */
  private static String inWords(Duration duration) {
    return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
