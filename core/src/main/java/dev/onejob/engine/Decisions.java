package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.KindContract;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Report.Outcome;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.store.JobQueries;
import dev.onejob.store.MoveRequest;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decisions out of band, as moves. What cannot be kept as it is, is an {@link
 * IllegalArgumentException} that says why, before anything is asked of the store.
 */
final class Decisions {
  private static final String RULE = "rule:";

  private Decisions() {}

  /**
   * The move.
   *
   * @param queries find the job's kind and input, by which a result is judged
   * @param kinds the kinds of this node that can judge the job
   * @throws BrokenContractException if the result breaks the contract of its kind
   * @throws KindNotKnownException if there is a result, and this node does not know its kind
   */
  static MoveRequest request(
      JobId job,
      AttemptId attempt,
      Decision decision,
      JobQueries queries,
      Function<String, @Nullable Kind> kinds) {
    return decision.verdict() == Verdict.DONE
        ? done(job, attempt, decision, result -> read(queries.work(job), kinds, result))
        : withoutResult(job, attempt, decision);
  }

  private static MoveRequest done(
      JobId job, AttemptId attempt, Decision decision, UnaryOperator<Result> read) {
    if (decision.result() == null) {
      throw new IllegalArgumentException("the verdict done needs a result");
    }
    if (decision.then() != null) {
      throw new IllegalArgumentException("the verdict done leaves nothing to choose");
    }
    Result result = read.apply(decision.result());
    return new MoveRequest(
        job,
        new JobEvent.ResolveDone(attempt, Digests.report(Outcome.SUCCEEDED, result.bytes())),
        decided(decision, null, result));
  }

  /** As the result of a provider is read, and by the same contract. */
  private static Result read(
      Optional<JobQueries.Work> work, Function<String, @Nullable Kind> kinds, Result raw) {
    Optional<byte[]> input = work.map(JobQueries.Work::input);
    return switch (ResultGate.judge(contract(work, kinds), () -> input, raw, null)) {
      case ResultGate.Judged.Fit fit -> fit.result();
      case ResultGate.Judged.Unfit unfit ->
          throw new IllegalArgumentException(
              unfit.failure().code().equals(Failure.RESULT_INVALID)
                  ? "the result cannot be read: " + unfit.failure().message()
                  : unfit.failure().message());
      case ResultGate.Judged.Broken broken ->
          throw new BrokenContractException(
              broken.contract().title(), broken.verdict(), broken.failure().message());
    };
  }

  /** Of a job whose payloads were emptied nothing is asked any more; see {@link ResultGate}. */
  private static @Nullable KindContract contract(
      Optional<JobQueries.Work> work, Function<String, @Nullable Kind> kinds) {
    if (work.isEmpty()) {
      return null;
    }
    String name = work.get().kind();
    Kind kind = kinds.apply(name);
    if (kind == null) {
      throw new KindNotKnownException(name);
    }
    return kind.contract();
  }

  private static MoveRequest withoutResult(JobId job, AttemptId attempt, Decision decision) {
    if (decision.result() != null) {
      throw new IllegalArgumentException("only the verdict done brings a result");
    }
    Then usual = usual(decision.verdict());
    if (usual == null && decision.then() != null) {
      throw new IllegalArgumentException(
          "the verdict " + decision.verdict().word() + " leaves nothing to choose");
    }
    Then then = decision.then() == null ? usual : decision.then();
    return new MoveRequest(
        job,
        new JobEvent.Resolve(attempt, decision.verdict(), then == null ? Then.WAIT : then),
        decided(decision, then, null));
  }

  private static @Nullable Then usual(Verdict verdict) {
    return switch (verdict) {
      case NOT_DONE -> Then.RETRY;
      case ABANDON -> Then.WAIT;
      case STILL_RUNNING, DONE -> null;
    };
  }

  private static MoveRequest.Decided decided(
      Decision decision, @Nullable Then then, @Nullable Result result) {
    return decided(
        decision.verdict().word(), then, decision.reason(), decision.decidedBy(), result);
  }

  static MoveRequest acknowledgement(JobId job, Then then, String reason, String decidedBy) {
    return new MoveRequest(
        job, new JobEvent.Acknowledge(then), decided("acknowledge", then, reason, decidedBy, null));
  }

  static MoveRequest reopening(JobId job, Reopen reopen) {
    if (reopen.attempts() < 1 || reopen.attempts() > Limits.ATTEMPTS_ALLOWED_MAX) {
      throw new IllegalArgumentException(
          "a reopened job gets 1 to " + Limits.ATTEMPTS_ALLOWED_MAX + " more attempts");
    }
    return new MoveRequest(
        job,
        new JobEvent.Reopen(reopen.attempts(), reopen.deadline()),
        decided("reopen", null, reopen.reason(), reopen.decidedBy(), null));
  }

  /** What the rule of a kind decides, if the attempt is still in doubt and has been long enough. */
  static MoveRequest byRule(JobId job, AttemptId attempt, Kind kind, UnknownRule rule) {
    return new MoveRequest(
        job,
        new JobEvent.Resolve(attempt, rule.verdict(), rule.then()),
        new MoveRequest.Ruled(
            rule.after(),
            kind.parkAfterCrashes(),
            decided(
                rule.verdict().word(),
                rule.then(),
                rule.inWords(kind.name()),
                RULE + kind.name(),
                null)));
  }

  private static MoveRequest.Decided decided(
      String verdict,
      @Nullable Then then,
      String reason,
      String decidedBy,
      @Nullable Result result) {
    requireText("a reason", reason, Limits.REASON_CHARS_MAX);
    requireText("the name of who decides", decidedBy, Limits.DECIDED_BY_CHARS_MAX);
    return new MoveRequest.Decided(verdict, then, reason, decidedBy, result);
  }

  static void requireText(String what, String text, int charsMax) {
    int chars = text.codePointCount(0, text.length());
    if (text.isBlank() || chars > charsMax || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          what + " has 1 to " + charsMax + " characters, not all blank and none of them U+0000");
    }
  }
}
