package dev.onejob.server.access;

import dev.onejob.domain.Owner;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as it is kept: everything but its secret.
 *
 * @param withdrawnAt null while it opens doors
 */
public record ApiKey(
    UUID id,
    String name,
    Role role,
    Owner owner,
    Instant createdAt,
    @Nullable Instant withdrawnAt) {}
