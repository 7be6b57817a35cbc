package dev.onejob.provider;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import java.time.Duration;

/**
 * What a provider is asked to do.
 *
 * @param number of the attempt, from 1
 * @param providerKey derived from owner, key, provider and attempt number; to be sent wherever the
 *     provider can de-duplicate by it
 * @param input JSON as the client sent it; not copied, not to be changed
 * @param timeout after which silence is doubt
 * @param lateAnswerLimit how much longer an answer is still listened for
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
    Duration lateAnswerLimit) {}
