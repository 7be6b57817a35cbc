package dev.onejob.store;

import dev.onejob.domain.Strength;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one question brought, and when the next is due.
 *
 * @param source {@code lookup} or {@code replay}
 * @param says in short, of a small vocabulary: the same again is counted, not kept again
 * @param digest SHA-256 of the payload in hexadecimal; empty without one
 * @param bytes size of the payload
 * @param next until the next question
 * @param last how long before the end of the asking the last question is put, at the latest
 * @param watchToken the lease under which the attempt is watched from now on; null: none
 */
public record Learned(
    String source,
    Strength strength,
    String says,
    String digest,
    long bytes,
    Duration next,
    Duration last,
    @Nullable UUID watchToken) {}
