package dev.onejob.domain;

import java.util.Locale;

/** Where a job is; see {@code docs/job-lifecycle.md}. */
public enum JobState {
  /** No live attempt; waits for its time, a slot, or what {@link WaitingFor} names. */
  QUEUED,
  /** Live attempts, none in doubt. */
  RUNNING,
  /** At least one attempt is in doubt; nothing new may start. */
  UNKNOWN,
  /** The result slot is claimed. Never left. */
  SUCCEEDED,
  /** No live attempt and nothing left to try. */
  FAILED,
  /** Cancelled, and no attempt is live. Never left. */
  CANCELLED;

  /** The word used in SQL, JSON, logs and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads {@link #word}. */
  public static JobState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** Whether the job has ended. */
  public boolean terminal() {
    return switch (this) {
      case QUEUED, RUNNING, UNKNOWN -> false;
      case SUCCEEDED, FAILED, CANCELLED -> true;
    };
  }
}
