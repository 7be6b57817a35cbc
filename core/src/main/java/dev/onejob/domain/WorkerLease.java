package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;

/**
 * The lease of an attempt just renewed, and whether its result is still wanted.
 *
 * @param left how much of it is left by the database clock
 * @param cancelRequested owner or operator no longer want the job
 * @param resultThere another attempt has claimed the slot
 */
public record WorkerLease(
    Instant until, Duration left, boolean cancelRequested, boolean resultThere) {
  /** Whether nobody wants the result any more: the work may stop. */
  public boolean unwanted() {
    return cancelRequested || resultThere;
  }
}
