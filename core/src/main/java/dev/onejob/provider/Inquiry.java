package dev.onejob.provider;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A question about an attempt that is in doubt.
 *
 * @param attemptId our reference, wherever the request carried it
 * @param number of the attempt, from 1
 * @param providerKey the key that the request carried; our reference wherever the provider knows
 *     requests by it
 * @param providerRef the provider's own id of the work; null if it is not on record, and never null
 *     for a provider that is asked by it alone
 * @param timeout after which the engine no longer waits
 */
public record Inquiry(
    JobId jobId,
    AttemptId attemptId,
    int number,
    String kind,
    String providerKey,
    @Nullable String providerRef,
    Duration timeout) {}
