package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptId;
import dev.onejob.engine.WorkerAnswer.Became;
import dev.onejob.engine.WorkerAnswer.LeaseLost;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.util.Locale;

/** Why a worker no longer speaks for an attempt, and what became of what it said. */
final class LeaseProblems {
  private LeaseProblems() {}

  static ProblemException lost(AttemptId id, LeaseLost lost) {
    Problem problem =
        Problem.of(ProblemType.LEASE_LOST, "Attempt " + id + ": " + detail(lost.became()))
            .with("state", lost.state().word())
            .with("late_answer", lost.became().name().toLowerCase(Locale.ROOT));
    return lost.lostTo() == null
        ? problem.asException()
        : problem.with("lost_to", lost.lostTo().toString()).asException();
  }

  private static String detail(Became became) {
    return switch (became) {
      case NOTHING ->
          "this lease is over, or never was of this attempt. Nothing was changed; stop the work.";
      case TAKEN -> "the lease is over; the report was taken as a late answer and settled it.";
      case LOST ->
          "the lease is over; as a late answer the report came after another attempt's result. The"
              + " loss is recorded, the payload thrown away.";
      case RECORDED ->
          "the lease is over and the attempt had ended; the report is kept as evidence, without"
              + " its payload.";
      case CONTESTED ->
          "the lease is over and the attempt had ended otherwise; the report contradicts that, so"
              + " the job is contested.";
    };
  }
}
