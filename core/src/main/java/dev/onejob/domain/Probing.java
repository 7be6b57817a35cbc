package dev.onejob.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the provider is asked about an attempt that is or was in doubt.
 *
 * @param asked questions so far
 * @param nextAt when it is asked next, at the earliest; null once the asking has ended
 * @param before when the asking ends at the latest
 * @param ended why it has ended: {@code attempt_ended}, {@code evidence_expires} or {@code
 *     asked_long_enough}; null while it goes on
 */
public record Probing(
    int asked, @Nullable Instant nextAt, Instant before, @Nullable String ended) {}
