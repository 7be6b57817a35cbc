package dev.onejob.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long what has ended is kept.
 *
 * @param payloadAfter from the end of a job until its input and result are emptied; null: never
 * @param tombstoneAfter from the end of a job until all of it is removed and its key is free; null:
 *     never
 * @param batch jobs in one transaction, 1 to 10,000
 * @param interval how often it is looked for work
 */
public record RetentionRules(
    @Nullable Duration payloadAfter,
    @Nullable Duration tombstoneAfter,
    int batch,
    Duration interval) {
  /** Most jobs in one transaction: beyond it a statement may last longer than a second. */
  public static final int BATCH_MAX = 10_000;

  /** Payloads for thirty days, tombstones for ever. */
  public static final RetentionRules USUAL =
      new RetentionRules(Duration.ofDays(30), null, 500, Duration.ofMinutes(1));

  /**
   * Checks the rules.
   *
   * @throws IllegalArgumentException naming the setting
   */
  public RetentionRules {
    require(payloadAfter == null || payloadAfter.isPositive(), "payload_after: must be positive");
    require(
        tombstoneAfter == null || tombstoneAfter.isPositive(), "tombstone_after: must be positive");
    require(
        tombstoneAfter == null
            || payloadAfter == null
            || tombstoneAfter.compareTo(payloadAfter) >= 0,
        "tombstone_after: must not be shorter than payload_after");
    require(batch >= 1 && batch <= BATCH_MAX, "batch: 1 to " + BATCH_MAX);
    require(interval.isPositive(), "interval: must be positive");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException(what);
    }
  }
}
