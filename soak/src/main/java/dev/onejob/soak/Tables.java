package dev.onejob.soak;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the database and the provider's ledger hold when all is over.
 *
 * @param now of the database clock when the dump was taken
 */
record Tables(
    Instant now,
    List<JobRow> jobs,
    List<AttemptRow> attempts,
    List<DecisionRow> decisions,
    List<CallRow> calls) {

  /**
   * A job.
   *
   * @param result a digest of the result; null if there is none
   */
  record JobRow(
      String id,
      String owner,
      String key,
      String kind,
      String effect,
      String state,
      @Nullable String waitingFor,
      boolean contested,
      @Nullable String completedBy,
      Counts counts,
      boolean due,
      @Nullable String result) {}

  /** The counts that a job's row carries of its attempts. */
  record Counts(int live, int starting, int inDoubt) {}

  /** An attempt; the lease is null unless it is starting or running. */
  record AttemptRow(String id, String job, int number, String state, @Nullable Instant leaseUntil) {
    boolean live() {
      return state.equals("starting") || state.equals("running") || state.equals("unknown");
    }
  }

  /** What an operator decided; the attempt is null for an acknowledgement. */
  record DecisionRow(String job, @Nullable String attempt, String verdict, Instant at) {}

  /** A request that arrived at the provider; {@code actedAt} is null if it had no effect. */
  record CallRow(String job, String attempt, @Nullable Instant actedAt) {}
}
