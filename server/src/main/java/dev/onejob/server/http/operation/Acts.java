package dev.onejob.server.http.operation;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Then;
import dev.onejob.engine.Access;
import dev.onejob.engine.Decision;
import dev.onejob.engine.JobEngine;
import dev.onejob.engine.Reopen;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a person can do with a job: one way for the API and the dashboard, with the same checks and
 * the same refusals, which are those of {@link Deeds}. Here each is followed by a look at the job.
 * Every method throws a {@link ProblemException} that says why nothing was done. Safe for many
 * threads.
 */
public final class Acts {
  private final JobEngine engine;
  private final Deeds deeds;

  public Acts(JobEngine engine) {
    this.engine = engine;
    this.deeds = new Deeds(engine, engine.orders());
  }

  /**
   * The same without the look, each refused if the job is not any more as it was seen: behind the
   * job's lock.
   */
  public Deeds asOf(Mark seen) {
    return new Deeds(engine, engine.orders().asOf(seen));
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
    AttemptId started = deeds.press(caller, id, provider);
    Job job = job(caller, id);
    return job.attempts().stream()
        .filter(attempt -> attempt.standing().id().equals(started))
        .findFirst()
        .map(attempt -> new Pressed(attempt, job))
        .orElseThrow(() -> new IllegalStateException("the job lacks its attempt " + started));
  }

  /** Asks for a cancel; the job as it is afterwards. */
  public Job cancel(Credential caller, JobId id) {
    deeds.cancel(caller, id);
    return job(caller, id);
  }

  /** Lets a failed job go on; the job as it is afterwards. */
  public Job reopen(Credential caller, JobId id, Reopen reopen) {
    deeds.reopen(caller, id, reopen);
    return job(caller, id);
  }

  /** An operator ends a doubt; the job as it is afterwards. */
  public Job resolve(Credential caller, AttemptId id, Decision decision) {
    deeds.resolve(caller, id, decision);
    Attempt attempt = engine.attempt(reach(caller), id).orElseThrow(Problem::notFound);
    return job(caller, attempt.jobId());
  }

  /** An operator has seen that a job is contested; the job as it is afterwards. */
  public Job acknowledge(Credential caller, JobId id, Then then, String reason) {
    deeds.acknowledge(caller, id, then, reason);
    return job(caller, id);
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
}
