package dev.onejob.server.ui.desk;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.server.http.problem.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a verdict about several attempts.
 *
 * @param name of the verdict
 * @param again where the rest of them is
 */
public record SeveralDone(
    String kind, String provider, String name, List<Outcome> outcomes, String again) {
  /** Copies the list. */
  public SeveralDone {
    outcomes = List.copyOf(outcomes);
  }

  /** How many the verdict was given about. */
  public long done() {
    return outcomes.stream().filter(each -> each.after() != null).count();
  }

  /**
   * What came of one.
   *
   * @param job its job; null: none is known
   * @param after the job as it is now; null: nothing was done, or nothing is known
   * @param problem why not; null: it was done, or not tried
   */
  public record Outcome(
      AttemptId attempt, @Nullable JobId job, @Nullable Job after, @Nullable Problem problem) {
    /** The attempt's state now; empty if nothing was done. */
    public String attemptState() {
      return after == null ? "" : DeskReader.attempt(after, attempt).standing().state().word();
    }
  }
}
