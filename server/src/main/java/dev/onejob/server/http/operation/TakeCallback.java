package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptId;
import dev.onejob.engine.Callbacks;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.CallbackBody;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.AttemptWriter;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;

/**
 * {@code POST /v1/callbacks/attempts/{id}/{secret}}: a provider says how an attempt ended. Needs no
 * API key; the secret is the credential, and is looked at before the body is read.
 */
final class TakeCallback implements Handler {
  private final Callbacks callbacks;

  TakeCallback(Callbacks callbacks) {
    this.callbacks = callbacks;
  }

  @Override
  public void handle(Context ctx) throws IOException {
    AttemptId id = PathIds.attempt(ctx);
    if (!callbacks.admits(id, ctx.pathParam(CallbackRoute.SECRET))) {
      throw Problem.notFound();
    }
    CallbackBody body = CallbackBody.read(RequestBody.read(ctx.req()));
    Callbacks.Standing standing = callbacks.take(id, body.outcome()).orElseThrow(Problem::notFound);
    Answers.ok(
        ctx, AttemptWriter.standing(id, standing.state(), standing.lostTo(), standing.broken()));
  }
}
