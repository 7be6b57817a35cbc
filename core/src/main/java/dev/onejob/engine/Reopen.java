package dev.onejob.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The wish that a failed job goes on.
 *
 * @param attempts how many more may be made; 1 to {@link
 *     dev.onejob.domain.Limits#ATTEMPTS_ALLOWED_MAX}
 * @param deadline a new one, still to come; null: the old one stays if it is still to come, else
 *     there is none
 * @param reason why; 1 to 2,000 characters, not all blank
 * @param decidedBy who, by the name of the credential; 1 to 128 characters
 */
public record Reopen(int attempts, @Nullable Instant deadline, String reason, String decidedBy) {}
