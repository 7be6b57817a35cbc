package dev.onejob.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * An attempt in the hands of a worker, with all that the work needs.
 *
 * @param input JSON as the client sent it; not copied, not to be changed
 * @param providerKey derived from owner, key, provider and attempt number; to be sent wherever
 *     duplicates can be told by it
 * @param leaseToken under which the worker speaks of this attempt
 * @param leaseLeft how much of the lease was left by the database clock, as this was read
 * @param timeoutAt the lease is renewed until then and no longer
 * @param timeoutLeft how much of that time was left, by the same clock
 */
public record ClaimedAttempt(
    JobId job,
    AttemptId attempt,
    int number,
    Owner owner,
    String kind,
    byte[] input,
    String provider,
    String providerKey,
    UUID leaseToken,
    Instant leaseUntil,
    Duration leaseLeft,
    Instant timeoutAt,
    Duration timeoutLeft) {}
