package dev.onejob.domain;

import java.time.Instant;

/**
 * What was learned about an attempt outside its ordinary course. A payload is never kept here.
 *
 * @param source where it comes from, such as {@code late_answer}, {@code callback}, {@code lookup}
 *     or {@code replay}
 * @param strength {@code proof} or {@code hint}
 * @param says in short, what it says
 * @param digest SHA-256 of the payload, in hexadecimal; empty without one
 * @param bytes size of the payload
 * @param learnedAt when it was learned first
 * @param times how often the same was learned, from 1
 * @param lastAt when it was learned last
 */
public record Evidence(
    String source,
    String strength,
    String says,
    String digest,
    long bytes,
    Instant learnedAt,
    int times,
    Instant lastAt) {}
