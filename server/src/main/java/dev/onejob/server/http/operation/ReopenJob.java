package dev.onejob.server.http.operation;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.engine.Access;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Reopen;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.ReopenBody;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.InstantSource;

/** {@code POST /v1/jobs/{id}/reopen}: a failed job goes on, under the same key and id. */
final class ReopenJob implements Operation {
  private final JobEngine engine;
  private final InstantSource clock;

  ReopenJob(JobEngine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    Reopen reopen = ReopenBody.read(RequestBody.read(ctx.req()), caller.name(), clock);
    Access access = Guard.reach(caller);
    Answer answer = engine.reopen(access, id, reopen).orElseThrow(Problem::notFound);
    Job job = engine.job(access, id).orElseThrow(Problem::notFound);
    switch (answer) {
      case Answer.Moved moved -> Answers.ok(ctx, JobWriter.write(job));
      case Answer.NotAllowed refused -> throw notAllowed(job, refused.why());
      case Answer.Repeated other -> throw unexpected(other);
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
  }

  private static ProblemException notAllowed(Job job, String why) {
    boolean failed = job.standing().state() == JobState.FAILED;
    if (failed && job.standing().contested()) {
      return StartRefusals.contested(job);
    }
    if (failed && job.payloadEmptiedAt() != null) {
      return Problem.of(ProblemType.PAYLOAD_EMPTIED, "Nothing was changed: " + why + ".")
          .with("state", job.standing().state().word())
          .with("payload_emptied_at", job.payloadEmptiedAt().toString())
          .asException();
    }
    return Problem.of(ProblemType.REOPEN_NOT_ALLOWED, "Nothing was changed: " + why + ".")
        .with("state", job.standing().state().word())
        .asException();
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("a reopen was answered by " + answer);
  }
}
