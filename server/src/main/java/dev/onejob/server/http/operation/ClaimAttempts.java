package dev.onejob.server.http.operation;

import dev.onejob.domain.Limits;
import dev.onejob.engine.ClaimAnswer;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.ClaimBody;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.request.Waiting;
import dev.onejob.server.http.wire.WorkerWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** {@code POST /v1/attempts/claim}: a worker fetches work, and waits for it if there is none. */
final class ClaimAttempts implements Operation {
  private static final Set<String> PARAMETERS = Set.of(Waiting.PARAMETER);

  private final JobEngine engine;

  ClaimAttempts(JobEngine engine) {
    this.engine = engine;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException, InterruptedException {
    Waiting waiting = Waiting.of(ctx, Parameters.of(ctx, PARAMETERS));
    ClaimBody body = ClaimBody.read(RequestBody.read(ctx.req()), caller.id(), Guard.reach(caller));
    switch (engine.pull().claim(body.claim(), atMost(ctx, body, waiting))) {
      case ClaimAnswer.Taken taken -> Answers.ok(ctx, WorkerWriter.write(taken.attempts()));
      case ClaimAnswer.UnknownKind unknown ->
          throw Problem.of(
                  ProblemType.KIND_UNKNOWN, "This node knows no kind named " + unknown.kind() + ".")
              .with("pointer", "/kinds/" + unknown.place())
              .asException();
      case ClaimAnswer.Crowded crowded ->
          throw Problem.of(
                  ProblemType.OVERLOADED, "Too many workers wait for work on this node; try again.")
              .withHeader("Retry-After", "1")
              .asException();
    }
  }

  /** What the body says goes first, then the parameter, then the preference. */
  private static Duration atMost(Context ctx, ClaimBody body, Waiting waiting) {
    if (body.atMost() != null) {
      return body.atMost();
    }
    Duration most = Limits.CLAIM_WAIT_MAX;
    Duration capped = waiting.atMost().compareTo(most) > 0 ? most : waiting.atMost();
    if (waiting.applied().stream().anyMatch(applied -> applied.startsWith("wait="))) {
      ctx.res().setHeader("Preference-Applied", "wait=" + capped.toSeconds());
    }
    return capped;
  }
}
