package dev.onejob.engine;

import dev.onejob.domain.Result;
import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A decision about an attempt.
 *
 * @param result needed for {@link Verdict#DONE}, else null
 * @param then how the job goes on; null: the default of the verdict (retry after not_done, wait
 *     after abandon)
 * @param reason why; 1 to 2,000 characters
 * @param decidedBy who, by the name of the credential
 */
public record Decision(
    Verdict verdict,
    @Nullable Result result,
    @Nullable Then then,
    String reason,
    String decidedBy) {}
