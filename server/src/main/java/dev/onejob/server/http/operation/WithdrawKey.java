package dev.onejob.server.http.operation;

import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.PathIds;
import io.javalin.http.Context;

/** {@code DELETE /v1/keys/{id}}: withdraws an API key. */
final class WithdrawKey implements Operation {
  private final KeyActs acts;

  WithdrawKey(ApiKeys keys) {
    this.acts = new KeyActs(keys);
  }

  @Override
  public void handle(Context ctx, Credential caller) {
    acts.withdraw(caller, PathIds.key(ctx));
    Answers.noContent(ctx);
  }
}
