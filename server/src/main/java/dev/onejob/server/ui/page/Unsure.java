package dev.onejob.server.ui.page;

import dev.onejob.domain.Mark;
import dev.onejob.server.http.operation.Faults;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.store.StoreException;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/**
 * What ended a press early, told by what is known of it: often nobody knows whether it was done.
 */
public final class Unsure {
  private static final String MAY_BE_DONE =
      "Whether this was done is not known: it may have been. Look at how things are now before you"
          + " press again.";

  private Unsure() {}

  /** What it is that ended the press; what nobody expected is logged. */
  public static Problem of(Context ctx, Exception e) {
    if (e instanceof StoreException.LockTimeout) {
      return Problem.of(
              ProblemType.DATABASE_UNAVAILABLE,
              "Nothing was done: somebody else holds the job at this moment. Press again.")
          .withHeader("Retry-After", "1");
    }
    Problem problem = Faults.of(ctx, e);
    return is(problem)
        ? new Problem(problem.type(), MAY_BE_DONE, problem.extensions(), problem.headers())
        : problem;
  }

  private static boolean is(Problem problem) {
    return problem.type() == ProblemType.DATABASE_UNAVAILABLE
        || problem.type() == ProblemType.INTERNAL_ERROR;
  }

  /**
   * The mark of a form that is shown after a press. One that may have been done is shown as it was
   * pressed: if it was done after all, its next press finds another job and does nothing.
   *
   * @param problem why it was not done; null: none was pressed
   * @param pressed the form
   * @param now of the job as it was read since
   */
  public static String mark(@Nullable Problem problem, Form pressed, Mark now) {
    return problem != null && is(problem) ? pressed.asOf().text() : now.text();
  }
}
