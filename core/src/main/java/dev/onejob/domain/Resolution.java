package dev.onejob.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A decision out of band, as it is kept.
 *
 * @param verdict the word of a {@link Verdict}, or {@code acknowledge} or {@code reopen}
 * @param then null for verdicts that end with a result or change nothing
 * @param decidedBy who: the name of the credential, or {@code rule:} and the name of a kind
 * @param basis what was known then; null for a decision older than the record of it
 */
public record Resolution(
    String verdict,
    @Nullable Then then,
    String reason,
    String decidedBy,
    Instant decidedAt,
    @Nullable Basis basis) {}
