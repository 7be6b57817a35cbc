package dev.onejob.server.access;

import dev.onejob.domain.Owner;
import java.util.UUID;

/**
 * Who a caller has shown to be.
 *
 * @param id of the key
 * @param name of the key, as decisions are signed with it
 * @param owner of the jobs that are submitted with it
 */
public record Credential(UUID id, String name, Role role, Owner owner) {}
