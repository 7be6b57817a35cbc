package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptState;
import dev.onejob.domain.DeskItem;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.DeskCursor;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.wire.DeskWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;

/** {@code GET /v1/attempts?state=unknown}: the attempts in doubt, oldest first. */
final class ListAttempts implements Operation {
  private static final Set<String> PARAMETERS =
      Set.of("state", "owner", "kind", "provider", "cursor", "limit");

  private final JobEngine engine;

  ListAttempts(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Parameters parameters = Parameters.of(ctx, PARAMETERS);
    if (!AttemptState.UNKNOWN.word().equals(parameters.text("state"))) {
      throw Problem.parameter("state", "The parameter is needed, and is unknown: no other state.");
    }
    DeskItem.Page page =
        engine.inDoubt(Guard.reach(caller), DeskParameters.read(parameters, caller));
    Answers.ok(ctx, DeskWriter.writePage(page, DeskCursor.write(page.next())));
  }
}
