package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Report;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.WorkerLeases;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The last words of workers, as moves. */
final class WorkerReports {
  /** For kinds that this node does not know: to hear of a failure no contract is needed. */
  private static final RetryPolicy USUAL =
      new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private WorkerReports() {}

  /**
   * The move.
   *
   * @param kind null: this node does not know it
   * @throws KindNotKnownException if there is a result, and it is not known
   */
  static MoveRequest request(
      AttemptId attempt,
      WorkerLeases.Known known,
      @Nullable Kind kind,
      Supplier<Optional<byte[]>> input,
      Outcome outcome,
      Cost cost) {
    return switch (outcome) {
      case Outcome.Succeeded it -> succeeded(attempt, known, judged(known, kind, input, it), cost);
      case Outcome.Failed it ->
          failed(
              attempt,
              known,
              new Fault(it.failure(), it.retryability(), delay(known, kind, it.retryAfter())),
              cost);
      case Outcome.Refused it ->
          failed(
              attempt,
              known,
              new Fault(it.failure(), it.retryability(), delay(known, kind, it.retryAfter())),
              cost);
      case Outcome.InDoubt it ->
          new MoveRequest(
              known.job(), new JobEvent.Doubt(attempt), new MoveRequest.Cause(it.reason()));
      case Outcome.Stopped it ->
          MoveRequest.of(known.job(), new JobEvent.Stopped(attempt, Digests.stopped()));
    };
  }

  private static Duration delay(
      WorkerLeases.Known known, @Nullable Kind kind, @Nullable Duration retryAfter) {
    RetryPolicy retry = kind == null ? USUAL : kind.retry();
    return retry.delay(known.number(), retryAfter, ThreadLocalRandom.current());
  }

  private record Fault(Failure failure, Retryability retryability, Duration delay) {
    static Fault unusable(Failure failure) {
      return new Fault(failure, Retryability.FINAL, Duration.ZERO);
    }
  }

  private static MoveRequest failed(
      AttemptId attempt, WorkerLeases.Known known, Fault fault, Cost cost) {
    Failure failure = fault.failure();
    return new MoveRequest(
        known.job(),
        new JobEvent.Fail(
            attempt, failure, fault.retryability(), fault.delay(), Digests.failed(failure)),
        new MoveRequest.Cause(failure, cost.text()));
  }

  /** What nobody here can judge is left to a node that can. */
  private static ResultGate.Judged judged(
      WorkerLeases.Known known,
      @Nullable Kind kind,
      Supplier<Optional<byte[]>> input,
      Outcome.Succeeded it) {
    if (kind == null) {
      throw new KindNotKnownException(known.kind());
    }
    return ResultGate.judge(kind.contract(), input, it.result(), it.cost());
  }

  private static MoveRequest succeeded(
      AttemptId attempt, WorkerLeases.Known known, ResultGate.Judged judged, Cost cost) {
    return switch (judged) {
      // The version is a hint for the short way, which this report does not go.
      case ResultGate.Judged.Fit fit ->
          new MoveRequest(
              known.job(),
              new JobEvent.Finish(
                  attempt, Digests.report(Report.Outcome.SUCCEEDED, fit.result().bytes())),
              new MoveRequest.Payload(fit.result(), cost.text(), 0));
      case ResultGate.Judged.Unfit unfit ->
          failed(attempt, known, Fault.unusable(unfit.failure()), cost);
      case ResultGate.Judged.Broken broken -> {
        MoveRequest.BrokenContract details = Digests.broken(broken, cost.text());
        yield new MoveRequest(
            known.job(),
            new JobEvent.Breached(attempt, details.failure(), details.report()),
            details);
      }
    };
  }
}
