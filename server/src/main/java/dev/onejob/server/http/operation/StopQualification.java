package dev.onejob.server.http.operation;

import dev.onejob.domain.RunId;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.QualificationWriter;
import dev.onejob.store.QualificationRuns;
import io.javalin.http.Context;
import java.io.IOException;

/**
 * {@code POST /v1/qualification-runs/{id}/stop}: asks nothing more, until the run is carried on. A
 * run that is not going on is answered as it is.
 */
final class StopQualification implements Operation {
  private final QualificationRuns runs;

  StopQualification(QualificationRuns runs) {
    this.runs = runs;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    RunId id = PathIds.run(ctx);
    runs.stop(id);
    Answers.ok(ctx, QualificationWriter.write(runs.run(id).orElseThrow(Problem::notFound)));
  }
}
