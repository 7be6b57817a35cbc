package dev.onejob.server.http.operation;

import dev.onejob.domain.JobId;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;

/** {@code POST /v1/jobs/{id}/cancel}: asks for a cancel, and says where the job then is. */
final class CancelJob implements Operation {
  private final Acts acts;

  CancelJob(JobEngine engine) {
    this.acts = new Acts(engine);
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    byte[] body = RequestBody.read(ctx.req());
    if (body.length > 0) {
      Members.read(body, Set.of());
    }
    Answers.ok(ctx, JobWriter.write(acts.cancel(caller, id)));
  }
}
