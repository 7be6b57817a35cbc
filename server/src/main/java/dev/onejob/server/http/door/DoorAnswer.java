package dev.onejob.server.http.door;

import dev.onejob.domain.Failure;
import dev.onejob.domain.JobGlance;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Result;
import dev.onejob.domain.WaitingFor;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import org.jspecify.annotations.Nullable;

/**
 * What a client of OpenAI's API is told about a job: its result, or why there is none. No status
 * here is one that such clients repeat by themselves, and {@code x-should-retry}, which the
 * official ones heed, says besides whether a repeat makes sense.
 */
public final class DoorAnswer {
  private DoorAnswer() {}

  /**
   * The result, byte for byte as the provider gave it.
   *
   * @param joins whether the same request, sent again, finds the same job
   * @throws ProblemException if the job has no result, or one that is no JSON
   */
  public static byte[] whole(JobGlance job, boolean joins) {
    return switch (job.standing().state()) {
      case SUCCEEDED -> result(job);
      case FAILED -> throw failed(job);
      case CANCELLED ->
          throw over(ProblemType.JOB_CANCELLED, job.id(), "was cancelled; it has no result.");
      case UNKNOWN ->
          throw over(
              ProblemType.JOB_IN_DOUBT,
              job.id(),
              "is in doubt: a provider was asked, and whether it has done the work is not known."
                  + " Do not ask for the same under another key. Evidence, a rule or an operator"
                  + " ends the doubt; GET /v1/jobs/"
                  + job.id()
                  + " shows it.");
      case QUEUED, RUNNING -> throw unfinished(job, joins);
    };
  }

  private static byte[] result(JobGlance job) {
    Result result = job.result();
    if (result == null) {
      throw over(
          ProblemType.PAYLOAD_EMPTIED,
          job.id(),
          "has succeeded, and its result was emptied since.");
    }
    if (result.format() != Result.Format.JSON) {
      throw unsuitable(job.id());
    }
    return result.bytes();
  }

  /** The kind of the job makes something else than the endpoint answers with. */
  public static ProblemException unsuitable(JobId id) {
    return over(
        ProblemType.RESULT_UNSUITABLE,
        id,
        "has succeeded, but its result is no answer of this endpoint. GET /v1/jobs/"
            + id
            + " has it as it is; its kind needs a provider that keeps whole answers.");
  }

  private static ProblemException failed(JobGlance job) {
    Failure failure = job.standing().failure();
    return over(ProblemType.JOB_FAILED, job.id(), "has failed: " + said(failure));
  }

  private static String said(@Nullable Failure failure) {
    return failure == null
        ? "nothing is left to try."
        : failure.message() + " (" + failure.code() + ")";
  }

  private static ProblemException unfinished(JobGlance job, boolean joins) {
    JobId id = job.id();
    WaitingFor waitingFor = job.standing().waitingFor();
    if (waitingFor != null) {
      return over(
          ProblemType.JOB_UNFINISHED,
          id,
          "is not over yet: it waits for a "
              + waitingFor.word()
              + ". GET /v1/jobs/"
              + id
              + " shows it.");
    }
    String further =
        joins ? " The same request joins it." : " GET /v1/jobs/" + id + " shows what comes of it.";
    return told(ProblemType.JOB_UNFINISHED, id, "is not over yet." + further)
        .withHeader("x-should-retry", Boolean.toString(joins))
        .asException();
  }

  /** What came of the job cannot be seen at the moment. */
  public static Problem outOfSight(JobId id) {
    return told(
        ProblemType.INTERNAL_ERROR,
        id,
        "cannot be seen at the moment, and goes on. GET /v1/jobs/"
            + id
            + " shows what comes of it.");
  }

  /** The key is bound to another request. */
  public static ProblemException mismatch(JobId id) {
    return Problem.of(
            ProblemType.INTENT_MISMATCH,
            "This Idempotency-Key is bound to the job "
                + id
                + ", which was made of another request. A new intent needs a new key.")
        .with("job_id", id.toString())
        .withHeader("x-should-retry", "false")
        .asException();
  }

  private static ProblemException over(ProblemType type, JobId id, String what) {
    return told(type, id, what).withHeader("x-should-retry", "false").asException();
  }

  private static Problem told(ProblemType type, JobId id, String what) {
    return Problem.of(type, "The job " + id + " " + what).with("job_id", id.toString());
  }
}
