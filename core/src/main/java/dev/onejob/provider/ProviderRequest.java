package dev.onejob.provider;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a provider is asked to do.
 *
 * @param number of the attempt, from 1
 * @param providerKey derived from owner, key, provider and attempt number; to be sent wherever the
 *     provider can de-duplicate by it
 * @param input JSON as the client sent it; not copied, not to be changed
 * @param timeout after which silence is doubt
 * @param lateAnswerLimit how much longer an answer is still listened for
 * @param callback where the provider may say how it ended, by a POST at any time; it holds the
 *     secret of this attempt, for nobody but the provider. Null: this node gives none
 */
public record ProviderRequest(
    JobId jobId,
    AttemptId attemptId,
    int number,
    Owner owner,
    String kind,
    String providerKey,
    byte[] input,
    Duration timeout,
    Duration lateAnswerLimit,
    @Nullable URI callback) {
  /** A request without a callback address. */
  public ProviderRequest(
      JobId jobId,
      AttemptId attemptId,
      int number,
      Owner owner,
      String kind,
      String providerKey,
      byte[] input,
      Duration timeout,
      Duration lateAnswerLimit) {
    this(
        jobId,
        attemptId,
        number,
        owner,
        kind,
        providerKey,
        input,
        timeout,
        lateAnswerLimit,
        /* callback= */ null);
  }
}
