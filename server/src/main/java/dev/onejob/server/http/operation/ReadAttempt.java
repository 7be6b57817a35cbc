package dev.onejob.server.http.operation;

import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.AttemptWriter;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code GET /v1/attempts/{id}}: reads an attempt. */
final class ReadAttempt implements Operation {
  private final JobEngine engine;

  ReadAttempt(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Answers.ok(
        ctx,
        AttemptWriter.write(
            engine
                .attempt(Guard.reach(caller), PathIds.attempt(ctx))
                .orElseThrow(Problem::notFound)));
  }
}
