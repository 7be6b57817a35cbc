package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The proof that a provider keeps the contract of a kind, as it is on record.
 *
 * @param id numbers go up in order of the passes
 * @param answeringModel the model that answered while it was proved; null if none was named
 * @param run which run of the checks passed it
 * @param breaches contract breaches in production since the last kept contract, in a row
 * @param withdrawal null: it was not withdrawn
 */
public record Qualification(
    long id,
    String kind,
    String provider,
    Binding binding,
    @Nullable String answeringModel,
    String run,
    Instant passedAt,
    Instant validUntil,
    int breaches,
    @Nullable Withdrawal withdrawal) {
  /** Who withdrew it, where that was a streak of contract breaches. */
  public static final String BY_BREACHES = "rule:breaches";

  /** Who withdrew it, where another model answered than was qualified. */
  public static final String BY_MODEL = "rule:model";

  /**
   * The end of a qualification before its time.
   *
   * @param by a person's name, or what has seen to it by itself
   */
  public record Withdrawal(Instant at, String by, String reason) {}

  /** Whether it holds for this binding at this moment of the database's clock. */
  public boolean holds(Binding wanted, Instant now) {
    return withdrawal == null && now.isBefore(validUntil) && binding.equals(wanted);
  }

  /**
   * A pass to be recorded.
   *
   * @param answeringModel kept as its first {@link Limits#MODEL_CHARS_MAX} characters; null or
   *     empty: none was named
   * @param validFor from the moment that it is recorded, by the database clock
   */
  public record Pass(
      String kind,
      String provider,
      Binding binding,
      @Nullable String answeringModel,
      String run,
      Duration validFor) {}
}
