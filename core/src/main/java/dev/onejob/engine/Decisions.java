package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Report.Outcome;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import dev.onejob.store.MoveRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decisions out of band, as moves. */
final class Decisions {
  private Decisions() {}

  static MoveRequest request(JobId job, AttemptId attempt, Decision decision) {
    return decision.verdict() == Verdict.DONE
        ? done(job, attempt, decision)
        : withoutResult(job, attempt, decision);
  }

  private static MoveRequest done(JobId job, AttemptId attempt, Decision decision) {
    Result result = Objects.requireNonNull(decision.result(), "the verdict done needs a result");
    return new MoveRequest(
        job,
        new JobEvent.ResolveDone(attempt, Digests.report(Outcome.SUCCEEDED, result.bytes())),
        decided(decision, null));
  }

  private static MoveRequest withoutResult(JobId job, AttemptId attempt, Decision decision) {
    Then then = decision.then() == null ? usual(decision.verdict()) : decision.then();
    return new MoveRequest(
        job,
        new JobEvent.Resolve(attempt, decision.verdict(), then == null ? Then.WAIT : then),
        decided(decision, then));
  }

  private static @Nullable Then usual(Verdict verdict) {
    return switch (verdict) {
      case NOT_DONE -> Then.RETRY;
      case ABANDON -> Then.WAIT;
      case STILL_RUNNING, DONE -> null;
    };
  }

  private static MoveRequest.Decided decided(Decision decision, @Nullable Then then) {
    return new MoveRequest.Decided(
        decision.verdict().word(),
        then,
        decision.reason(),
        decision.decidedBy(),
        decision.result());
  }

  static MoveRequest acknowledgement(JobId job, Then then, String reason, String decidedBy) {
    return new MoveRequest(
        job,
        new JobEvent.Acknowledge(then),
        new MoveRequest.Decided("acknowledge", then, reason, decidedBy, null));
  }
}
