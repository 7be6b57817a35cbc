package dev.onejob.server.http.operation;

import dev.onejob.domain.AttemptId;
import dev.onejob.engine.Access;
import dev.onejob.engine.Pull;
import dev.onejob.engine.WorkerAnswer;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.LeaseBody;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.WorkerWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Optional;

/**
 * {@code POST /v1/attempts/{id}/heartbeat} and {@code …/accepted}: a worker says that it lives, and
 * that it is about to act.
 */
final class HoldAttempt implements Operation {
  private interface Reading {
    LeaseBody of(byte[] body);
  }

  private interface Word {
    Optional<WorkerAnswer> say(Access access, AttemptId attempt, LeaseBody body);
  }

  private final Reading reading;
  private final Word word;

  private HoldAttempt(Reading reading, Word word) {
    this.reading = reading;
    this.word = word;
  }

  static HoldAttempt heartbeat(Pull pull) {
    return new HoldAttempt(
        LeaseBody::readHeartbeat,
        (access, attempt, body) -> pull.heartbeat(access, attempt, body.leaseToken()));
  }

  static HoldAttempt accepted(Pull pull) {
    return new HoldAttempt(
        LeaseBody::readAcceptance,
        (access, attempt, body) ->
            pull.accepted(access, attempt, body.leaseToken(), body.providerRef()));
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    AttemptId id = PathIds.attempt(ctx);
    LeaseBody body = reading.of(RequestBody.read(ctx.req()));
    switch (word.say(Guard.reach(caller), id, body).orElseThrow(Problem::notFound)) {
      case WorkerAnswer.Leased leased -> Answers.ok(ctx, WorkerWriter.write(id, leased));
      case WorkerAnswer.LeaseLost lost -> throw LeaseProblems.lost(id, lost);
      case WorkerAnswer.Settled settled ->
          throw new IllegalStateException("a sign of life was answered by " + settled);
    }
  }
}
