package dev.onejob.server.http.operation;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.engine.Access;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;

/** {@code POST /v1/jobs/{id}/cancel}: asks for a cancel, and says where the job then is. */
final class CancelJob implements Operation {
  private final JobEngine engine;

  CancelJob(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    byte[] body = RequestBody.read(ctx.req());
    if (body.length > 0) {
      Members.read(body, Set.of());
    }
    Access access = Guard.reach(caller);
    Answer answer = engine.cancel(access, id).orElseThrow(Problem::notFound);
    Job job = engine.job(access, id).orElseThrow(Problem::notFound);
    switch (answer) {
      case Answer.Moved moved -> Answers.ok(ctx, JobWriter.write(job));
      case Answer.Repeated repeated -> Answers.ok(ctx, JobWriter.write(job));
      case Answer.NotAllowed refused -> throw StartRefusals.ended(job);
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("a cancel was answered by " + answer);
  }
}
