package dev.onejob.domain;

import java.time.Instant;

/**
 * That a job was not given to a provider by itself, as it is on record.
 *
 * @param skippedAt the first time
 * @param times how often, for this reason
 */
public record Skip(Objection objection, Instant skippedAt, Instant lastAt, int times) {}
