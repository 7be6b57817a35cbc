package dev.onejob.server.http.operation;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Then;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
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

  private final Acts acts;

  AcknowledgeJob(JobEngine engine) {
    this.acts = new Acts(engine);
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    Members members = Members.read(RequestBody.read(ctx.req()), MEMBERS);
    Then then = DecisionBody.then(members);
    String reason = DecisionBody.reason(members);
    Job job = acts.acknowledge(caller, id, then == null ? Then.WAIT : then, reason);
    Answers.ok(ctx, JobWriter.write(job));
  }
}
