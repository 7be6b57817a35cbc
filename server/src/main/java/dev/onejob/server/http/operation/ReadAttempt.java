package dev.onejob.server.http.operation;

import dev.onejob.domain.Attempt;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.AttemptWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Optional;

/** {@code GET /v1/attempts/{id}}: reads an attempt. */
final class ReadAttempt implements Operation {
  private final JobEngine engine;

  ReadAttempt(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Attempt attempt =
        engine.attempt(Guard.reach(caller), PathIds.attempt(ctx)).orElseThrow(Problem::notFound);
    Optional<byte[]> brokenAnswer =
        attempt.breach() == null
            ? Optional.empty()
            : engine.brokenAnswer(Guard.reach(caller), attempt.standing().id());
    Answers.ok(ctx, AttemptWriter.write(attempt, brokenAnswer));
  }
}
