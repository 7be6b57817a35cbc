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
    return outcomes.stream().filter(each -> each.ending() == Ending.DONE).count();
  }

  /** How it ended for one. */
  public enum Ending {
    DONE,
    /** Or nobody knows; the problem says which. */
    NOT_DONE,
    /** The one before it could not be brought to an end. */
    NOT_TRIED
  }

  /**
   * What came of one.
   *
   * @param job its job; null: none is known
   * @param after the job as it is now; null: nothing was done, or it cannot be read
   * @param problem why it was not done; null: it was done, or not tried
   */
  public record Outcome(
      AttemptId attempt,
      Ending ending,
      @Nullable JobId job,
      @Nullable Job after,
      @Nullable Problem problem) {
    static Outcome done(AttemptId attempt, JobId job, @Nullable Job after) {
      return new Outcome(attempt, Ending.DONE, job, after, null);
    }

    static Outcome notDone(AttemptId attempt, @Nullable JobId job, Problem problem) {
      return new Outcome(attempt, Ending.NOT_DONE, job, null, problem);
    }

    static Outcome notTried(AttemptId attempt) {
      return new Outcome(attempt, Ending.NOT_TRIED, null, null, null);
    }

    /** The attempt's state now; empty if nothing was done, or it cannot be read. */
    public String attemptState() {
      return after == null ? "" : DeskReader.attempt(after, attempt).standing().state().word();
    }
  }
}
