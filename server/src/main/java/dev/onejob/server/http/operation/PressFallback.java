package dev.onejob.server.http.operation;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.engine.Access;
import dev.onejob.engine.ButtonAnswer;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/jobs/{id}/attempts}: the fallback button. */
final class PressFallback implements Operation {
  private static final Set<String> MEMBERS = Set.of("provider");

  private final JobEngine engine;

  PressFallback(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    JobId id = PathIds.job(ctx);
    byte[] body = RequestBody.read(ctx.req());
    String provider = body.length == 0 ? null : Members.read(body, MEMBERS).text("provider");
    Access access = Guard.reach(caller);
    switch (engine.startAttempt(access, id, provider).orElseThrow(Problem::notFound)) {
      case ButtonAnswer.Started started -> started(ctx, job(access, id), started.start().attempt());
      case ButtonAnswer.Refused refused ->
          throw StartRefusals.problem(job(access, id), refused.refusal());
      case ButtonAnswer.UnknownHere unknown ->
          throw unknownHere(job(access, id), provider, unknown.what());
      case ButtonAnswer.NoSlot full -> throw noSlot(full.what());
    }
  }

  private Job job(Access access, JobId id) {
    return engine.job(access, id).orElseThrow(Problem::notFound);
  }

  private static void started(Context ctx, Job job, AttemptId id) throws IOException {
    Attempt attempt =
        job.attempts().stream()
            .filter(a -> a.standing().id().equals(id))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("the job lacks its attempt " + id));
    ctx.res().setHeader("Location", "/v1/attempts/" + id);
    Answers.created(ctx, JobWriter.writeStarted(attempt, job));
  }

  private static ProblemException unknownHere(Job job, @Nullable String provider, String what) {
    return provider != null && !job.standing().route().contains(provider)
        ? StartRefusals.notOnRoute(job)
        : Problem.of(
                ProblemType.NODE_LACKS_PROVIDER,
                "This node is not configured with " + what + "; another node may be.")
            .withHeader("Retry-After", "5")
            .asException();
  }

  private static ProblemException noSlot(String what) {
    return Problem.of(
            ProblemType.NO_SLOT, "This node has no slot for " + what + "; nothing was started.")
        .withHeader("Retry-After", "1")
        .asException();
  }
}
