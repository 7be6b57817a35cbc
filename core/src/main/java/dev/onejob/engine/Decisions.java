package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Report.Outcome;
import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.UnknownRule;
import dev.onejob.domain.Verdict;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.ResultReading;
import dev.onejob.store.MoveRequest;
import org.jspecify.annotations.Nullable;

/**
 * Decisions out of band, as moves. What cannot be kept as it is, is an {@link
 * IllegalArgumentException} that says why, before anything is asked of the store.
 */
final class Decisions {
  private static final String RULE = "rule:";

  private Decisions() {}

  static MoveRequest request(JobId job, AttemptId attempt, Decision decision) {
    return decision.verdict() == Verdict.DONE
        ? done(job, attempt, decision)
        : withoutResult(job, attempt, decision);
  }

  private static MoveRequest done(JobId job, AttemptId attempt, Decision decision) {
    if (decision.result() == null) {
      throw new IllegalArgumentException("the verdict done needs a result");
    }
    if (decision.then() != null) {
      throw new IllegalArgumentException("the verdict done leaves nothing to choose");
    }
    Result result = read(decision.result());
    return new MoveRequest(
        job,
        new JobEvent.ResolveDone(attempt, Digests.report(Outcome.SUCCEEDED, result.bytes())),
        decided(decision, null, result));
  }

  /** As the result of a provider is read: what is stored, shown and compared. */
  private static Result read(Result raw) {
    bounded(raw);
    try {
      return switch (raw.format()) {
        case JSON -> bounded(new Result(Result.Format.JSON, ResultReading.read(raw.bytes())));
        case TEXT -> new Result(Result.Format.TEXT, ResultReading.readText(raw.bytes()));
      };
    } catch (JsonRefused e) {
      throw new IllegalArgumentException("the result cannot be read: " + e.getMessage(), e);
    }
  }

  private static Result bounded(Result result) {
    if (result.bytes().length > Limits.RESULT_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the result has %d bytes, at most %d are kept"
              .formatted(result.bytes().length, Limits.RESULT_BYTES_MAX));
    }
    return result;
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
