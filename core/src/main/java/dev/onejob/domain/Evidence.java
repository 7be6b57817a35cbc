package dev.onejob.domain;

import java.time.Instant;

/**
 * What was learned about an attempt outside its ordinary course. A payload is never kept here.
 *
 * @param source where it comes from, such as {@code late_answer} or {@code operator}
 * @param strength {@code proof} or {@code hint}
 * @param says in short, what it says
 * @param digest SHA-256 of the payload, in hexadecimal; empty without one
 * @param bytes size of the payload
 */
public record Evidence(
    String source, String strength, String says, String digest, long bytes, Instant learnedAt) {}
