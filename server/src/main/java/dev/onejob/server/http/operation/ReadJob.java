package dev.onejob.server.http.operation;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.engine.Access;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.Waiting;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;

/** {@code GET /v1/jobs/{id}}: reads a job, at once or when it has ended. */
final class ReadJob implements Operation {
  private static final Set<String> PARAMETERS = Set.of(Waiting.PARAMETER);

  private final JobEngine engine;

  ReadJob(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException, InterruptedException {
    JobId id = PathIds.job(ctx);
    Waiting waiting = Waiting.of(ctx, Parameters.of(ctx, PARAMETERS));
    Access access = Guard.reach(caller);
    Job job = engine.job(access, id).orElseThrow(Problem::notFound);
    if (waiting.atMost().isPositive() && !job.standing().state().terminal()) {
      engine.awaitEnd(id, waiting.atMost());
      job = engine.job(access, id).orElseThrow(Problem::notFound);
    }
    Preferences.applied(ctx, waiting);
    Answers.ok(ctx, JobWriter.write(job));
  }
}
