package dev.onejob.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A decision out of band, as it is kept.
 *
 * @param verdict the word of a {@link Verdict}, or {@code acknowledge}
 * @param then null for verdicts that end with a result or change nothing
 * @param decidedBy who: the name of the credential
 */
public record Resolution(
    String verdict, @Nullable Then then, String reason, String decidedBy, Instant decidedAt) {}
