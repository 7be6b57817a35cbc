package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptState;
import dev.onejob.domain.ContractVerdict;
import dev.onejob.domain.WorkerLease;
import org.jspecify.annotations.Nullable;

/** What a worker hears about an attempt. */
public sealed interface WorkerAnswer {
  /** The attempt is the worker's, for as long as the lease holds. */
  record Leased(AttemptState state, WorkerLease lease) implements WorkerAnswer {}

  /**
   * The worker's last word was heard; or had been heard before, and this is the same answer.
   *
   * @param state of the attempt afterwards
   * @param lostTo the attempt that had claimed the slot, if this one was lost
   * @param broken what the result breaks, if that is why it was not taken
   */
  record Settled(
      AttemptState state, @Nullable AttemptId lostTo, ContractVerdict.@Nullable Broken broken)
      implements WorkerAnswer {}

  /**
   * The worker no longer speaks for the attempt.
   *
   * @param state of the attempt afterwards
   */
  record LeaseLost(Became became, AttemptState state, @Nullable AttemptId lostTo)
      implements WorkerAnswer {}

  /** What became of a word that came under a lost lease. */
  enum Became {
    /** Nothing: it was no last word, or the token was never the one of this attempt. */
    NOTHING,
    /** It was taken as a late answer and settled the attempt. */
    TAKEN,
    /**
     * It was a late answer, and another attempt had claimed the slot: recorded, payload dropped.
     */
    LOST,
    /** The attempt had ended otherwise: it is kept as evidence, without its payload. */
    RECORDED,
    /** The same, and it contradicts the record: the job is contested. */
    CONTESTED
  }
}
