package dev.onejob.server.http.operation;

import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.PathIds;
import io.javalin.http.Context;
import java.util.UUID;

/** {@code DELETE /v1/keys/{id}}: withdraws an API key. */
final class WithdrawKey implements Operation {
  private final ApiKeys keys;

  WithdrawKey(ApiKeys keys) {
    this.keys = keys;
  }

  /** No key withdraws itself: so nobody locks everyone out by withdrawing the last one. */
  @Override
  public void handle(Context ctx, Credential caller) {
    UUID id = PathIds.key(ctx);
    if (id.equals(caller.id())) {
      throw Problem.of(
              ProblemType.KEY_IN_USE, "This is the key that the call was made with; use another.")
          .asException();
    }
    if (keys.withdraw(id).isEmpty()) {
      throw Problem.notFound();
    }
    Answers.noContent(ctx);
  }
}
