package dev.onejob.server.http.operation;

import dev.onejob.domain.Limits;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.wire.QualificationWriter;
import dev.onejob.store.QualificationRuns;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;

/** {@code GET /v1/qualification-runs}: runs, newest first. */
final class ListQualifications implements Operation {
  private static final Set<String> PARAMETERS = Set.of("kind", "provider", "limit");
  private static final int LIMIT = 50;

  private final QualificationRuns runs;

  ListQualifications(QualificationRuns runs) {
    this.runs = runs;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Parameters parameters = Parameters.of(ctx, PARAMETERS);
    Integer limit =
        parameters.read("limit", "a number from 1 to " + Limits.PAGE_MAX, Integer::valueOf);
    Answers.ok(
        ctx,
        QualificationWriter.write(
            runs.list(
                parameters.text("kind"),
                parameters.text("provider"),
                Math.clamp(limit == null ? LIMIT : limit, 1, Limits.PAGE_MAX))));
  }
}
