package dev.onejob.server.http.operation;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Then;
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
 * What a person does with a job, without a look at it afterwards: once a method has returned it is
 * done, whether the job can be read then or not. Every method throws a {@link ProblemException}
 * that says why nothing was done; by any other exception nobody knows whether it was. Safe for many
 * threads.
 */
public final class Deeds {
  private final JobEngine engine;
  private final Orders orders;

  Deeds(JobEngine engine, Orders orders) {
    this.engine = engine;
    this.orders = orders;
  }

  private Job job(Credential caller, JobId id) {
    return engine.job(Acts.reach(caller), id).orElseThrow(Problem::notFound);
  }

  /**
   * The fallback button.
   *
   * @param provider on the route of the job; null: the first that this job has not tried
   * @return the attempt that was started
   */
  public AttemptId press(Credential caller, JobId id, @Nullable String provider) {
    return switch (orders
        .startAttempt(Acts.reach(caller), id, provider)
        .orElseThrow(Problem::notFound)) {
      case ButtonAnswer.Started started -> started.start().attempt();
      case ButtonAnswer.Refused refused ->
          throw StartRefusals.problem(job(caller, id), refused.refusal());
      case ButtonAnswer.UnknownHere unknown ->
          throw unknownHere(job(caller, id), provider, unknown.what());
      case ButtonAnswer.NoSlot full -> throw noSlot(full.what());
      case ButtonAnswer.Changed changed -> throw changed();
    };
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

  private static ProblemException changed() {
    return Problem.of(
            ProblemType.JOB_CHANGED,
            "The job has changed since it was looked at. Nothing was changed by this; look again.")
        .asException();
  }

  /** Asks for a cancel. */
  public void cancel(Credential caller, JobId id) {
    switch (orders.cancel(Acts.reach(caller), id).orElseThrow(Problem::notFound)) {
      case Answer.Moved moved -> {}
      case Answer.Repeated repeated -> {}
      case Answer.NotAllowed refused -> throw StartRefusals.ended(job(caller, id));
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
  }

  /** Lets a failed job go on. */
  public void reopen(Credential caller, JobId id, Reopen reopen) {
    switch (orders.reopen(Acts.reach(caller), id, reopen).orElseThrow(Problem::notFound)) {
      case Answer.Moved moved -> {}
      case Answer.NotAllowed refused -> throw reopenNotAllowed(job(caller, id), refused.why());
      case Answer.Repeated other -> throw unexpected(other);
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
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

  /** An operator ends a doubt. */
  public void resolve(Credential caller, AttemptId id, Decision decision) {
    Acts.require(caller, Set.of(Role.OPERATOR));
    switch (decided(id, decision)) {
      case Answer.Moved moved -> {}
      case Answer.Lost lost -> {}
      case Answer.Repeated repeated -> {}
      case Answer.NotAllowed refused -> throw verdictNotAllowed(caller, id, refused.why());
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
  }

  private ProblemException verdictNotAllowed(Credential caller, AttemptId id, String why) {
    Attempt attempt = engine.attempt(Acts.reach(caller), id).orElseThrow(Problem::notFound);
    return Problem.of(ProblemType.VERDICT_NOT_ALLOWED, "Nothing was changed: " + why + ".")
        .with("state", attempt.standing().state().word())
        .asException();
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

  /** An operator has seen that a job is contested. */
  public void acknowledge(Credential caller, JobId id, Then then, String reason) {
    Acts.require(caller, Set.of(Role.OPERATOR));
    switch (orders.acknowledge(id, then, reason, caller.name()).orElseThrow(Problem::notFound)) {
      case Answer.Moved moved -> {}
      case Answer.Repeated repeated -> {}
      case Answer.NotAllowed refused ->
          throw Problem.of(ProblemType.NOT_CONTESTED, "There is nothing to acknowledge.")
              .asException();
      case Answer.Changed changed -> throw changed();
      case Answer.Started other -> throw unexpected(other);
      case Answer.StartRefused other -> throw unexpected(other);
      case Answer.Lost other -> throw unexpected(other);
      case Answer.Recorded other -> throw unexpected(other);
    }
  }

  private static IllegalStateException unexpected(Answer answer) {
    return new IllegalStateException("a person's act was answered by " + answer);
  }
}
