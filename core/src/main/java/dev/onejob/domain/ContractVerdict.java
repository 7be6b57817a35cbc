package dev.onejob.domain;

import java.util.List;

/** Whether an answer keeps the contract of its kind. */
public sealed interface ContractVerdict {
  /** It keeps it. */
  record Kept() implements ContractVerdict {}

  /**
   * It breaks it.
   *
   * @param breaches at least one, in the order of the checks; at most {@link Limits#BREACHES_MAX},
   *     whatever else is wrong
   */
  record Broken(List<Breach> breaches) implements ContractVerdict {
    /** Copies the list. */
    public Broken {
      breaches = List.copyOf(breaches);
      if (breaches.isEmpty()) {
        throw new IllegalArgumentException("a broken contract without a breach");
      }
    }
  }
}
