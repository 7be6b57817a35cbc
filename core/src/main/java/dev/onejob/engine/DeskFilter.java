package dev.onejob.engine;

import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Owner;
import org.jspecify.annotations.Nullable;

/**
 * What to list of what waits for a person, oldest first. A null member does not filter.
 *
 * @param owner besides what the caller's access leaves
 * @param provider of the attempt
 * @param after list only what comes after this place; null: from the oldest
 * @param limit 1 to {@link dev.onejob.domain.Limits#PAGE_MAX}
 */
public record DeskFilter(
    @Nullable Owner owner,
    @Nullable String kind,
    @Nullable String provider,
    DeskItem.@Nullable Place after,
    int limit) {}
