package dev.onejob.server.http.operation;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Submission;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.request.SubmissionBody;
import dev.onejob.server.http.request.SubmissionKey;
import dev.onejob.server.http.request.Waiting;
import dev.onejob.server.http.request.Waiting.Form;
import dev.onejob.server.http.wire.JobWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Set;

/** {@code POST /v1/jobs}: admits an intent, or finds the job that its key is bound to. */
final class SubmitJob implements Operation {
  private static final Set<String> PARAMETERS = Set.of(Waiting.PARAMETER);

  private final JobEngine engine;
  private final InstantSource clock;

  SubmitJob(JobEngine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException, InterruptedException {
    Waiting waiting = Waiting.of(ctx, Parameters.of(ctx, PARAMETERS));
    Submission submission =
        SubmissionBody.read(
            RequestBody.read(ctx.req()), caller.owner(), SubmissionKey.of(ctx.req()), clock);
    switch (engine.submit(submission)) {
      case Admitted.Created created ->
          Answers.created(
              ctx,
              waiting.atMost().isPositive()
                  ? body(ctx, caller, created.id(), waiting)
                  : asAdmitted(ctx, created.job(), waiting));
      case Admitted.Known known -> {
        byte[] body = body(ctx, caller, known.id(), waiting);
        ctx.res().setHeader("Idempotency-Replayed", "true");
        Answers.ok(ctx, body);
      }
      case Admitted.DifferentIntent other -> throw mismatch(other.id());
      case Admitted.Refused refused -> throw refused(refused);
    }
  }

  /** The new job as it was admitted: no need to read it back. */
  private static byte[] asAdmitted(Context ctx, Job job, Waiting waiting) {
    ctx.res().setHeader("Location", "/v1/jobs/" + job.id());
    Preferences.applied(ctx, waiting);
    return switch (waiting.form()) {
      case MINIMAL -> JobWriter.writeId(job.id());
      case REPRESENTATION -> JobWriter.write(job);
    };
  }

  private byte[] body(Context ctx, Credential caller, JobId id, Waiting waiting)
      throws InterruptedException {
    if (waiting.atMost().isPositive()) {
      engine.awaitEnd(id, waiting.atMost());
    }
    byte[] body = written(caller, id, waiting.form());
    ctx.res().setHeader("Location", "/v1/jobs/" + id);
    Preferences.applied(ctx, waiting);
    return body;
  }

  private byte[] written(Credential caller, JobId id, Form form) {
    return switch (form) {
      case MINIMAL -> JobWriter.writeId(id);
      case REPRESENTATION -> JobWriter.write(read(caller, id));
    };
  }

  private Job read(Credential caller, JobId id) {
    return engine.job(Guard.reach(caller), id).orElseThrow(Problem::notFound);
  }

  private static ProblemException mismatch(JobId id) {
    return Problem.of(
            ProblemType.INTENT_MISMATCH,
            "This Idempotency-Key is bound to a job with another kind, input or route. A new intent"
                + " needs a new key. To ask for the same job at another provider, repeat nothing"
                + " and change nothing here: press the fallback button, POST /v1/jobs/"
                + id
                + "/attempts.")
        .with("job_id", id.toString())
        .with("fallback_url", "/v1/jobs/" + id + "/attempts")
        .asException();
  }

  /** Faults of the input are pointed at from the root of the input; callers see the body. */
  private static ProblemException refused(Admitted.Refused refused) {
    ProblemType type = ProblemType.ofCode(refused.code());
    boolean withinInput = type == ProblemType.INPUT_INVALID || type == ProblemType.INPUT_TOO_LARGE;
    return Problem.of(type, refused.message())
        .with("pointer", withinInput ? "/input" + refused.pointer() : refused.pointer())
        .asException();
  }
}
