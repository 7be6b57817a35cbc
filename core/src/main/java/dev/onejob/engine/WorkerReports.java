package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Failure;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Report;
import dev.onejob.domain.Result;
import dev.onejob.domain.RetryPolicy;
import dev.onejob.domain.Retryability;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.ResultReading;
import dev.onejob.provider.Outcome;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.WorkerLeases;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The last words of workers, as moves. */
final class WorkerReports {
  /** For kinds that this node no longer knows: a report is not lost for that. */
  private static final RetryPolicy USUAL =
      new RetryPolicy(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private WorkerReports() {}

  static MoveRequest request(
      AttemptId attempt,
      WorkerLeases.Known known,
      @Nullable Kind kind,
      Outcome outcome,
      Cost cost) {
    return switch (outcome) {
      case Outcome.Succeeded it -> succeeded(attempt, known, it, cost);
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
    static Fault unusable(String code, String message) {
      return new Fault(new Failure(code, message), Retryability.FINAL, Duration.ZERO);
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

  private static MoveRequest succeeded(
      AttemptId attempt, WorkerLeases.Known known, Outcome.Succeeded it, Cost cost) {
    Result result;
    try {
      result = read(it.result());
    } catch (JsonRefused e) {
      String message = String.valueOf(e.getMessage());
      return failed(attempt, known, Fault.unusable(Failure.RESULT_INVALID, message), cost);
    }
    if (result.bytes().length > Limits.RESULT_BYTES_MAX) {
      String message =
          "the result has %d bytes, at most %d are kept"
              .formatted(result.bytes().length, Limits.RESULT_BYTES_MAX);
      return failed(attempt, known, Fault.unusable(Failure.RESULT_TOO_LARGE, message), cost);
    }
    // The version is a hint for the short way, which this report does not go.
    return new MoveRequest(
        known.job(),
        new JobEvent.Finish(attempt, Digests.report(Report.Outcome.SUCCEEDED, result.bytes())),
        new MoveRequest.Payload(result, cost.text(), 0));
  }

  private static Result read(Result raw) throws JsonRefused {
    return switch (raw.format()) {
      case JSON -> new Result(Result.Format.JSON, ResultReading.read(raw.bytes()));
      case TEXT -> new Result(Result.Format.TEXT, ResultReading.readText(raw.bytes()));
    };
  }
}
