package dev.onejob.soak;

/** A promise that was not kept, and for whom. */
record Breach(Promise promise, String subject, String detail) {
  /** What is promised. */
  enum Promise {
    /** Every 2xx submit has its job. */
    ACKNOWLEDGED_IS_KEPT,
    /** One job per key. */
    ONE_JOB_PER_KEY,
    /** One result per job. */
    ONE_RESULT_PER_JOB,
    /** An attempt that a decision had ended never claims the slot. */
    FENCED_STAYS_FENCED,
    /** Effects per job: at most one, and one more for each attempt that was abandoned. */
    EFFECTS_ARE_EXCUSED,
    /** An attempt is carried out by one holder, once. */
    SENT_ONCE,
    /** A {@code not_done} agrees with the provider's ledger. */
    NOT_DONE_IS_TRUE,
    /** A job has ended, is due, is under a live lease, or is listed at the desk. */
    NO_JOB_ADRIFT,
    /** The job row counts its live attempts rightly. */
    COUNTS_AGREE
  }

  @Override
  public String toString() {
    return promise + " " + subject + ": " + detail;
  }
}
