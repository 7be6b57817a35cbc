package dev.onejob.store;

import dev.onejob.domain.Effect;
import dev.onejob.domain.Fingerprint;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobStanding;
import dev.onejob.domain.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job to be admitted.
 *
 * @param route as resolved for this job
 * @param deadline a moment; null: {@code deadlineAfter} counts
 * @param deadlineAfter time from admission, by the database clock; null: no deadline
 * @param webhook the name of a webhook of its owner that is to hear of it; null: none
 * @param contracted whether its kind has a contract
 */
public record NewJob(
    JobId id,
    Owner owner,
    IntentKey key,
    String kind,
    Effect effect,
    Fingerprint fingerprint,
    byte[] input,
    List<String> route,
    @Nullable Instant deadline,
    @Nullable Duration deadlineAfter,
    int priority,
    List<String> tags,
    JobStanding.KindRules rules,
    @Nullable String webhook,
    boolean contracted) {
  /** A job that names no webhook, of a kind without a contract. */
  public NewJob(
      JobId id,
      Owner owner,
      IntentKey key,
      String kind,
      Effect effect,
      Fingerprint fingerprint,
      byte[] input,
      List<String> route,
      @Nullable Instant deadline,
      @Nullable Duration deadlineAfter,
      int priority,
      List<String> tags,
      JobStanding.KindRules rules) {
    this(
        id,
        owner,
        key,
        kind,
        effect,
        fingerprint,
        input,
        route,
        deadline,
        deadlineAfter,
        priority,
        tags,
        rules,
        /* webhook= */ null,
        /* contracted= */ false);
  }
}
