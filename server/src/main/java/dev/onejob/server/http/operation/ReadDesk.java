package dev.onejob.server.http.operation;

import dev.onejob.domain.DeskItem;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.DeskCursor;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.wire.DeskWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;

/** {@code GET /v1/desk}: everything that waits for a person, oldest first. */
final class ReadDesk implements Operation {
  private static final Set<String> PARAMETERS =
      Set.of("owner", "kind", "provider", "cursor", "limit");

  private final JobEngine engine;

  ReadDesk(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    DeskItem.Page page =
        engine.desk(
            Guard.reach(caller), DeskParameters.read(Parameters.of(ctx, PARAMETERS), caller));
    Answers.ok(ctx, DeskWriter.writePage(page, DeskCursor.write(page.next())));
  }
}
