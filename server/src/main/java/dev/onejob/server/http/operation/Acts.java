package dev.onejob.server.http.operation;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Then;
import dev.onejob.engine.Access;
import dev.onejob.engine.BrokenContractException;
import dev.onejob.engine.ButtonAnswer;
import dev.onejob.engine.Decision;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Orders;
import dev.onejob.engine.Reopen;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.wire.BreachWriter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a person can do with a job: one way for the API and the dashboard, with the same checks and
 * the same refusals. Every method throws a {@link ProblemException} that says why nothing was done.
 * Safe for many threads.
 */
public final class Acts {
  private final JobEngine engine;
  private final Orders orders;

  public Acts(JobEngine engine) {
    this(engine, engine.orders());
  }

  private Acts(JobEngine engine, Orders orders) {
    this.engine = engine;
    this.orders = orders;
  }

  /** The same, each refused if the job is not any more as it was seen: behind the job's lock. */
  public Acts asOf(Mark seen) {
    return new Acts(engine, engine.orders().asOf(seen));
  }

  /** Whose jobs a caller may see and move. */
  public static Access reach(Credential caller) {
    return switch (caller.role()) {
      case CLIENT, WORKER -> Access.of(caller.owner());
      case OPERATOR -> Access.ALL;
    };
  }

  /** A job as the caller may see it. */
  public Job job(Credential caller, JobId id) {
    return engine.job(reach(caller), id).orElseThrow(Problem::notFound);
  }

  /** What a press of the fallback button has started. */
  public record Pressed(Attempt attempt, Job job) {}

  /**
   * The fallback button.
   *
   * @param provider on the route of the job; null: the first that this job has not tried
   */
  public Pressed press(Credential caller, JobId id, @Nullable String provider) {
    return switch (orders
        .startAttempt(reach(caller), id, provider)
        .orElseThrow(Problem::notFound)) {
      case ButtonAnswer.Started started -> pressed(job(caller, id), started.start().attempt());
      case ButtonAnswer.Refused refused ->
          throw StartRefusals.problem(job(caller, id), refused.refusal());
      case ButtonAnswer.UnknownHere unknown ->
          throw unknownHere(job(caller, id), provider, unknown.what());
      case ButtonAnswer.NoSlot full -> throw noSlot(full.what());
      case ButtonAnswer.Changed changed -> throw changed();
    };
  }

  private static Pressed pressed(Job job, AttemptId id) {
    return job.attempts().stream()
        .filter(attempt -> attempt.standing().id().equals(id))
        .findFirst()
        .map(attempt -> new Pressed(attempt, job))
        .orElseThrow(() -> new IllegalStateException("the job lacks its attempt " + id));
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

  private static ProblemException changed() {
    return Problem.of(
            ProblemType.JOB_CHANGED,
            "The job has changed since it was looked at. Nothing was changed by this; look again.")
        .asException();
  }

  private static ProblemException noSlot(String what) {
    return Problem.of(
            ProblemType.NO_SLOT, "This node has no slot for " + what + "; nothing was started.")
        .withHeader("Retry-After", "1")
        .asException();
  }

  /** Asks for a cancel; the job as it is afterwards. */
  public Job cancel(Credential caller, JobId id) {
    Answer answer = orders.cancel(reach(caller), id).orElseThrow(Problem::notFound);
    Job job = job(caller, id);
    return switch (answer) {
      case Answer.Moved moved -> job;
      case Answer.Repeated repeated -> job;
      case Answer.NotAllowed refused -> throw StartRefusals.ended(job);
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    };
  }

  /** Lets a failed job go on; the job as it is afterwards. */
  public Job reopen(Credential caller, JobId id, Reopen reopen) {
    Answer answer = orders.reopen(reach(caller), id, reopen).orElseThrow(Problem::notFound);
    Job job = job(caller, id);
    return switch (answer) {
      case Answer.Moved moved -> job;
      case Answer.NotAllowed refused -> throw reopenNotAllowed(job, refused.why());
      case Answer.Repeated other -> throw unexpected(other);
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    };
  }

  private static ProblemException reopenNotAllowed(Job job, String why) {
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

  /** An operator ends a doubt; the job as it is afterwards. */
  public Job resolve(Credential caller, AttemptId id, Decision decision) {
    requireOperator(caller);
    Answer answer = decided(id, decision);
    Attempt attempt = engine.attempt(reach(caller), id).orElseThrow(Problem::notFound);
    return switch (answer) {
      case Answer.Moved moved -> job(caller, attempt.jobId());
      case Answer.Lost lost -> job(caller, attempt.jobId());
      case Answer.Repeated repeated -> job(caller, attempt.jobId());
      case Answer.NotAllowed refused ->
          throw Problem.of(
                  ProblemType.VERDICT_NOT_ALLOWED, "Nothing was changed: " + refused.why() + ".")
              .with("state", attempt.standing().state().word())
              .asException();
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    };
  }

  private Answer decided(AttemptId id, Decision decision) {
    try {
      return orders.resolve(id, decision).orElseThrow(Problem::notFound);
    } catch (BrokenContractException e) {
      throw Problem.of(ProblemType.CONTRACT_BROKEN, "Nothing was changed: " + e.getMessage() + ".")
          .with("contract", e.contract())
          .with("breaches", BreachWriter.listed(e.verdict()))
          .asException();
    }
  }

  /** An operator has seen that a job is contested; the job as it is afterwards. */
  public Job acknowledge(Credential caller, JobId id, Then then, String reason) {
    requireOperator(caller);
    return switch (orders
        .acknowledge(id, then, reason, caller.name())
        .orElseThrow(Problem::notFound)) {
      case Answer.Moved moved -> job(caller, id);
      case Answer.Repeated repeated -> job(caller, id);
      case Answer.NotAllowed refused ->
          throw Problem.of(ProblemType.NOT_CONTESTED, "There is nothing to acknowledge.")
              .asException();
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    };
  }

  /**
   * Lets only callers of these roles go on.
   *
   * @throws ProblemException for all others
   */
  public static void require(Credential caller, Set<Role> roles) {
    if (!roles.contains(caller.role())) {
      throw Problem.of(
              ProblemType.FORBIDDEN,
              "This call is not for API keys of the role " + caller.role().word() + ".")
          .asException();
    }
  }

  private static void requireOperator(Credential caller) {
    require(caller, Set.of(Role.OPERATOR));
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("a person's act was answered by " + answer);
  }
}
