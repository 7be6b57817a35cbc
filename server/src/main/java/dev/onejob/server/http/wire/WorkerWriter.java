package dev.onejob.server.http.wire;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.ClaimedAttempt;
import dev.onejob.engine.WorkerAnswer;
import java.util.List;

/** What workers read. */
public final class WorkerWriter {
  private static final int BYTES_BESIDE_INPUT = 1_024;

  private WorkerWriter() {}

  /** The attempts of a claim, with all that the work needs. */
  public static byte[] write(List<ClaimedAttempt> attempts) {
    int expected = attempts.stream().mapToInt(a -> BYTES_BESIDE_INPUT + a.input().length).sum();
    return JsonOut.object(
        BYTES_BESIDE_INPUT + expected,
        out -> out.list("attempts", attempts, WorkerWriter::attempt));
  }

  private static void attempt(JsonOut out, ClaimedAttempt attempt) {
    out.id("id", attempt.attempt());
    out.id("job_id", attempt.job());
    out.number("number", attempt.number());
    out.id("owner", attempt.owner());
    out.text("kind", attempt.kind());
    out.raw("input", attempt.input());
    out.text("provider", attempt.provider());
    out.text("provider_key", attempt.providerKey());
    out.id("lease_token", attempt.leaseToken());
    out.time("lease_until", attempt.leaseUntil());
    out.seconds("lease_seconds", attempt.leaseLeft());
    out.time("timeout_at", attempt.timeoutAt());
    out.seconds("timeout_seconds", attempt.timeoutLeft());
  }

  /** The lease, and whether to go on. */
  public static byte[] write(AttemptId id, WorkerAnswer.Leased leased) {
    return JsonOut.object(
        out -> {
          out.id("id", id);
          out.text("state", leased.state().word());
          out.time("lease_until", leased.lease().until());
          out.seconds("lease_seconds", leased.lease().left());
          out.truth("cancel_requested", leased.lease().cancelRequested());
          out.truth("stop", leased.lease().unwanted());
        });
  }

  /** How the attempt stands after the last word. */
  public static byte[] write(AttemptId id, WorkerAnswer.Settled settled) {
    return AttemptWriter.standing(id, settled.state(), settled.lostTo(), settled.broken());
  }
}
