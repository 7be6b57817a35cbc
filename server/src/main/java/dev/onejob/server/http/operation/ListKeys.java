package dev.onejob.server.http.operation;

import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.wire.KeyWriter;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code GET /v1/keys}: lists the API keys. */
final class ListKeys implements Operation {
  private final ApiKeys keys;

  ListKeys(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Answers.ok(ctx, KeyWriter.write(keys.list()));
  }
}
