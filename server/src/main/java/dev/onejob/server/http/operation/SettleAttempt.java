package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptId;
import dev.onejob.engine.Pull;
import dev.onejob.engine.WorkerAnswer;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.request.SettlementBody;
import dev.onejob.server.http.wire.WorkerWriter;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code POST /v1/attempts/{id}/settle}: a worker says how its work ended. */
final class SettleAttempt implements Operation {
  private final Pull pull;

  SettleAttempt(Pull pull) {
    this.pull = pull;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    AttemptId id = PathIds.attempt(ctx);
    SettlementBody body = SettlementBody.read(RequestBody.read(ctx.req()));
    WorkerAnswer answer =
        pull.settle(Guard.reach(caller), id, body.leaseToken(), body.outcome())
            .orElseThrow(Problem::notFound);
    switch (answer) {
      case WorkerAnswer.Settled settled -> Answers.ok(ctx, WorkerWriter.write(id, settled));
      case WorkerAnswer.LeaseLost lost -> throw LeaseProblems.lost(id, lost);
      case WorkerAnswer.Leased leased ->
          throw new IllegalStateException("a settle was answered by " + leased);
    }
  }
}
