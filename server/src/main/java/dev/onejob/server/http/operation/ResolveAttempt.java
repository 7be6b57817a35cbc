package dev.onejob.server.http.operation;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.engine.BrokenContractException;
import dev.onejob.engine.Decision;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.DecisionBody;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.BreachWriter;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code POST /v1/attempts/{id}/resolution}: an operator ends the doubt about an attempt. */
final class ResolveAttempt implements Operation {
  private final JobEngine engine;

  ResolveAttempt(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    AttemptId id = PathIds.attempt(ctx);
    Decision decision = DecisionBody.read(RequestBody.read(ctx.req()), caller.name());
    Answer answer = decided(id, decision);
    Attempt attempt = engine.attempt(Guard.reach(caller), id).orElseThrow(Problem::notFound);
    switch (answer) {
      case Answer.Moved moved -> job(ctx, caller, attempt);
      case Answer.Lost lost -> job(ctx, caller, attempt);
      case Answer.Repeated repeated -> job(ctx, caller, attempt);
      case Answer.NotAllowed refused -> throw notAllowed(attempt, refused.why());
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
  }

  private Answer decided(AttemptId id, Decision decision) {
    try {
      return engine.resolve(id, decision).orElseThrow(Problem::notFound);
    } catch (BrokenContractException e) {
      throw Problem.of(ProblemType.CONTRACT_BROKEN, "Nothing was changed: " + e.getMessage() + ".")
          .with("contract", e.contract())
          .with("breaches", BreachWriter.listed(e.verdict()))
          .asException();
    }
  }

  private void job(Context ctx, Credential caller, Attempt attempt) throws IOException {
    Answers.ok(
        ctx,
        JobWriter.write(
            engine.job(Guard.reach(caller), attempt.jobId()).orElseThrow(Problem::notFound)));
  }

  private static ProblemException notAllowed(Attempt attempt, String why) {
    return Problem.of(ProblemType.VERDICT_NOT_ALLOWED, "Nothing was changed: " + why + ".")
        .with("state", attempt.standing().state().word())
        .asException();
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("a resolution was answered by " + answer);
  }
}
