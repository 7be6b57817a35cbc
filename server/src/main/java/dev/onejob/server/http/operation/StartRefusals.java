package dev.onejob.server.http.operation;

import dev.onejob.domain.Answer.StartRefused;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.Job;
import dev.onejob.domain.Verdict;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Why the button did nothing, and what can be done about it. */
final class StartRefusals {
  private StartRefusals() {}

  static ProblemException problem(Job job, StartRefused refusal) {
    return switch (refusal.why()) {
      case ALREADY_SUCCEEDED, ALREADY_FAILED, ALREADY_CANCELLED -> ended(job);
      case CANCEL_REQUESTED ->
          Problem.of(
                  ProblemType.CANCEL_REQUESTED,
                  "A cancel of this job has been asked; nothing new starts.")
              .asException();
      case CONTESTED -> contested(job);
      case ATTEMPT_UNKNOWN -> blocked(refusal, AttemptState.UNKNOWN);
      case ATTEMPT_STARTING -> blocked(refusal, AttemptState.STARTING);
      case ATTEMPT_RUNNING, RACE_TOO_EARLY, RACE_FULL -> blocked(refusal, AttemptState.RUNNING);
      case ATTEMPTS_USED_UP ->
          Problem.of(
                  ProblemType.ATTEMPTS_USED_UP,
                  "All " + job.standing().attemptsAllowed() + " attempts of the job were made.")
              .with("attempts_allowed", job.standing().attemptsAllowed())
              .asException();
      case DEADLINE_PASSED ->
          Problem.of(ProblemType.DEADLINE_PASSED, "The deadline of the job has passed.")
              .with("deadline", String.valueOf(job.standing().deadline()))
              .asException();
      case PROVIDER_NOT_ON_ROUTE -> notOnRoute(job);
      case NOT_QUALIFIED ->
          Problem.of(
                  ProblemType.PROVIDER_UNQUALIFIED,
                  "The provider holds no valid qualification, and the kind allows none without.")
              .with("pointer", "/provider")
              .asException();
      case WAITING, NOT_DUE, DUE_ELSEWHERE, CIRCUIT_OPEN, NOTHING_TO_RACE ->
          Problem.of(ProblemType.START_REFUSED, "No attempt of this job may start now.")
              .with("reason", refusal.why().word())
              .asException();
    };
  }

  /** The job is over; says how. */
  static ProblemException ended(Job job) {
    String state = job.standing().state().word();
    return Problem.of(ProblemType.JOB_ENDED, "The job has already " + past(state) + ".")
        .with("state", state)
        .asException();
  }

  private static String past(String state) {
    return state.equals("cancelled") ? "been cancelled" : state;
  }

  static ProblemException notOnRoute(Job job) {
    return Problem.of(
            ProblemType.PROVIDER_NOT_ON_ROUTE,
            "The route of this job is " + String.join(", ", job.standing().route()) + ".")
        .with("pointer", "/provider")
        .with("route", job.standing().route())
        .asException();
  }

  static ProblemException contested(Job job) {
    return Problem.of(
            ProblemType.JOB_CONTESTED,
            "A report says that an ended attempt did act. An operator must acknowledge it first.")
        .with(
            "resolve_with",
            resolveWith("/v1/jobs/" + job.id() + "/acknowledgement", List.of("acknowledge")))
        .asException();
  }

  private static ProblemException blocked(StartRefused refusal, AttemptState state) {
    AttemptId attempt = refusal.blocking();
    if (attempt == null) {
      throw new IllegalStateException(refusal.why() + " without the attempt");
    }
    Problem problem =
        Problem.of(ProblemType.ATTEMPT_BLOCKED, detail(state, attempt, refusal))
            .with("blocking_attempt", attempt.toString())
            .with("blocking_state", state.word())
            .with("reason", refusal.why().word())
            .with(
                "resolve_with",
                resolveWith("/v1/attempts/" + attempt + "/resolution", verdicts(state)));
    return refusal.notBefore() == null
        ? problem.asException()
        : problem.with("retry_at", refusal.notBefore().toString()).asException();
  }

  private static String detail(AttemptState state, AttemptId attempt, StartRefused refusal) {
    String is = "Attempt " + attempt + " is " + state.word();
    return refusal.notBefore() == null
        ? is + "; until it has ended, or an operator has resolved it, nothing new starts."
        : is + "; a second may race it from " + refusal.notBefore() + ".";
  }

  private static List<String> verdicts(AttemptState state) {
    return state == AttemptState.UNKNOWN
        ? Stream.of(Verdict.values()).map(Verdict::word).toList()
        : List.of(Verdict.ABANDON.word());
  }

  private static Map<String, Object> resolveWith(String url, List<String> verdicts) {
    Map<String, Object> how = new LinkedHashMap<>();
    how.put("method", "POST");
    how.put("url", url);
    how.put("role", "operator");
    how.put("verdicts", verdicts);
    return how;
  }
}
