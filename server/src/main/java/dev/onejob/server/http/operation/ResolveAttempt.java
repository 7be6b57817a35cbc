package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptId;
import dev.onejob.engine.Decision;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.DecisionBody;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code POST /v1/attempts/{id}/resolution}: an operator ends the doubt about an attempt. */
final class ResolveAttempt implements Operation {
  private final Acts acts;

  ResolveAttempt(JobEngine engine) {
    this.acts = new Acts(engine);
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    AttemptId id = PathIds.attempt(ctx);
    Decision decision = DecisionBody.read(RequestBody.read(ctx.req()), caller.name());
    Answers.ok(ctx, JobWriter.write(acts.resolve(caller, id, decision)));
  }
}
