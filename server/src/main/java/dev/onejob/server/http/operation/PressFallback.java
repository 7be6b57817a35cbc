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

/** {@code POST /v1/jobs/{id}/attempts}: the fallback button. */
final class PressFallback implements Operation {
  private static final Set<String> MEMBERS = Set.of("provider");

  private final Acts acts;

  PressFallback(JobEngine engine) {
    this.acts = new Acts(engine);
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    byte[] body = RequestBody.read(ctx.req());
    String provider = body.length == 0 ? null : Members.read(body, MEMBERS).text("provider");
    Acts.Pressed pressed = acts.press(caller, id, provider);
    ctx.res().setHeader("Location", "/v1/attempts/" + pressed.attempt().standing().id());
    Answers.created(ctx, JobWriter.writeStarted(pressed.attempt(), pressed.job()));
  }
}
