package dev.onejob.engine;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;

/** What came of a submission. */
public sealed interface Admitted {
  /**
   * A new job; durable.
   *
   * @param job as it was admitted; it may have started since
   */
  record Created(Job job) implements Admitted {
    /** The id of the new job. */
    public JobId id() {
      return job.id();
    }
  }

  /** The key is known and the intent is the same: the same job, whatever its state. */
  record Known(JobId id) implements Admitted {}

  /** The key is bound to another intent. Nothing was changed. */
  record DifferentIntent(JobId id) implements Admitted {}

  /**
   * The submission cannot be admitted.
   *
   * @param code stable, kebab-case: {@code kind-unknown}, {@code input-invalid}, {@code
   *     input-too-large}, {@code provider-unknown}, {@code field-invalid}
   * @param pointer JSON pointer (RFC 6901) to the place, within the input for input faults
   */
  record Refused(String code, String message, String pointer) implements Admitted {}
}
