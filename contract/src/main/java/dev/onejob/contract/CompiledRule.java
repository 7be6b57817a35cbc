package dev.onejob.contract;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.onejob.domain.Breach;
import java.util.Optional;

/** A rule, ready to judge. */
record CompiledRule(Rule rule, CelRuntime.Program program) {
  /** A rule does not hold, or nothing can be said about it. */
  static final String CHECK = "rule";

  /** What it says against an answer; empty if it holds. */
  Optional<Breach> breach(RuleValues values) {
    try {
      Object holds = program.trace(values.variables(), new RuleCost());
      return Boolean.TRUE.equals(holds) ? Optional.empty() : Optional.of(breach(rule.message()));
    } catch (CelEvaluationException e) {
      return Optional.of(unanswered(String.valueOf(e.getMessage())));
    } catch (RuleCost.Exceeded e) {
      return Optional.of(unanswered(String.valueOf(e.getMessage())));
    }
  }

  /** Its own words only: the evaluator's may quote the answer. */
  private Breach unanswered(String why) {
    return breach(rule.message() + "; the rule could not be evaluated: " + why);
  }

  private Breach breach(String message) {
    return new Breach(CHECK, rule.path(), rule.name(), PathText.cut(message));
  }
}
