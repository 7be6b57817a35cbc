package dev.onejob.server.http.operation;

import dev.onejob.domain.JobId;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Reopen;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.ReopenBody;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.InstantSource;

/** {@code POST /v1/jobs/{id}/reopen}: a failed job goes on, under the same key and id. */
final class ReopenJob implements Operation {
  private final Acts acts;
  private final InstantSource clock;

  ReopenJob(JobEngine engine, InstantSource clock) {
    this.acts = new Acts(engine);
    this.clock = clock;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    Reopen reopen = ReopenBody.read(RequestBody.read(ctx.req()), caller.name(), clock);
    Answers.ok(ctx, JobWriter.write(acts.reopen(caller, id, reopen)));
  }
}
