package dev.onejob.engine;

import dev.onejob.domain.Answer;
import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Then;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The engine in a process: admits jobs, runs them, and answers for them. Safe for many threads. */
public final class JobEngine implements AutoCloseable {
  private JobEngine() {}

  /** Migrates the schema and starts a node. */
  public static JobEngine start(DataSource database, EngineConfig config) {
    throw new UnsupportedOperationException();
  }

  /** Admits an intent, or finds the job that its key is bound to. Durable when it returns. */
  public Admitted submit(Submission submission) {
    throw new UnsupportedOperationException();
  }

  /** Reads a job; empty if there is none within reach of the caller. */
  public Optional<Job> job(Access access, JobId id) {
    throw new UnsupportedOperationException();
  }

  /** Reads an attempt; empty if there is none within reach of the caller. */
  public Optional<Attempt> attempt(Access access, AttemptId id) {
    throw new UnsupportedOperationException();
  }

  /** Lists jobs within reach of the caller, newest first. */
  public Job.Page list(Access access, JobFilter filter) {
    throw new UnsupportedOperationException();
  }

  /**
   * The fallback button: starts a fresh attempt if the guard allows it.
   *
   * @param provider on the route of the job; null: the first that this job has not tried, else the
   *     first
   * @return empty if there is no such job within reach of the caller
   */
  public Optional<ButtonAnswer> startAttempt(Access access, JobId id, @Nullable String provider) {
    throw new UnsupportedOperationException();
  }

  /**
   * Asks for a cancel: {@link Answer.Moved}, {@link Answer.Repeated} or {@link Answer.NotAllowed}.
   * Empty if there is no such job within reach of the caller.
   */
  public Optional<Answer> cancel(Access access, JobId id) {
    throw new UnsupportedOperationException();
  }

  /**
   * Carries out a decision about an attempt: {@link Answer.Moved}, {@link Answer.Lost} (done, but
   * the slot had gone) or {@link Answer.NotAllowed}. Empty if there is no such attempt.
   */
  public Optional<Answer> resolve(AttemptId id, Decision decision) {
    throw new UnsupportedOperationException();
  }

  /** An operator has seen that the job is contested. Empty if there is no such job. */
  public Optional<Answer> acknowledge(JobId id, Then then, String reason, String decidedBy) {
    throw new UnsupportedOperationException();
  }

  /** Waits until the job has ended, for at most the given time (capped at 60 s). */
  public void awaitEnd(JobId id, Duration atMost) throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  /** Whether a poll for due jobs succeeded lately. */
  public boolean ready() {
    throw new UnsupportedOperationException();
  }

  /** Stops taking work and lets go. Attempts under way are left to their leases. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
