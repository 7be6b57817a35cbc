package dev.onejob.contract;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.Map;

/**
 * What the evaluation of one rule may cost: every value that comes up costs one, and its size. A
 * bound by what is done and not by the clock: a busy node judges as an idle one does.
 */
final class RuleCost implements CelEvaluationListener {
  /** Most rounds of all comprehensions of one rule together. */
  static final int ITERATIONS_MAX = 1_000_000;

  /** Highest cost of one rule; the largest answer can be looked at a hundred times. */
  static final long MAX = 500_000_000;

  private static final int CHARS_OF_ONE = 1;

  private long spent;

  /** A rule that costs too much. */
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exceeded() {
      super("it costs more than " + MAX);
    }
  }

  @Override
  public void callback(CelExpr expr, Object value) {
    spent +=
        switch (value) {
          case String text -> 1L + text.length() / CHARS_OF_ONE;
          case Collection<?> items -> 1L + items.size();
          case Map<?, ?> members -> 1L + members.size();
          case null -> 1L;
          default -> 1L;
        };
    if (spent > MAX) {
      throw new Exceeded();
    }
  }
}
