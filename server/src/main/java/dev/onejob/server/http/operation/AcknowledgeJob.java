package dev.onejob.server.http.operation;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Then;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.DecisionBody;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;

/** {@code POST /v1/jobs/{id}/acknowledgement}: an operator has looked at a contested job. */
final class AcknowledgeJob implements Operation {
  private static final Set<String> MEMBERS = Set.of("then", "reason");

  private final JobEngine engine;

  AcknowledgeJob(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    Members members = Members.read(RequestBody.read(ctx.req()), MEMBERS);
    Then then = DecisionBody.then(members);
    Answer answer =
        engine
            .acknowledge(
                id, then == null ? Then.WAIT : then, DecisionBody.reason(members), caller.name())
            .orElseThrow(Problem::notFound);
    switch (answer) {
      case Answer.Moved moved -> job(ctx, caller, id);
      case Answer.Repeated repeated -> job(ctx, caller, id);
      case Answer.NotAllowed refused ->
          throw Problem.of(ProblemType.NOT_CONTESTED, "There is nothing to acknowledge.")
              .asException();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
  }

  private void job(Context ctx, Credential caller, JobId id) throws IOException {
    Answers.ok(
        ctx, JobWriter.write(engine.job(Guard.reach(caller), id).orElseThrow(Problem::notFound)));
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("an acknowledgement was answered by " + answer);
  }
}
