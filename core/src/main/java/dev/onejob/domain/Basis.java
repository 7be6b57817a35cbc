package dev.onejob.domain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was known at the moment of a decision: about the attempt, or about the job where the
 * decision was about the job.
 *
 * @param state its state then, as a word
 * @param since for an attempt in doubt, when the doubt began; for a job that had ended, when; for
 *     an attempt under way, when it started; else null
 * @param failure what raised the doubt, or why the job had failed; null where nothing was said
 * @param evidence what had been learned until then, in the order in which it was learned
 */
public record Basis(
    String state, @Nullable Instant since, @Nullable Failure failure, List<Evidence> evidence) {
  public Basis {
    evidence = List.copyOf(evidence);
  }
}
