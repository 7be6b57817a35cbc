package dev.onejob.server.http.operation;

import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.QualificationWriter;
import dev.onejob.store.QualificationRuns;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code GET /v1/qualification-runs/{id}}: one run, with what was asked, what came and why. */
final class ReadQualification implements Operation {
  private final QualificationRuns runs;

  ReadQualification(QualificationRuns runs) {
    this.runs = runs;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Answers.ok(
        ctx, QualificationWriter.write(runs.run(PathIds.run(ctx)).orElseThrow(Problem::notFound)));
  }
}
