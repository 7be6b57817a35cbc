package dev.onejob.engine;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list, newest first. A null member does not filter.
 *
 * @param before list only jobs older than this one; null: from the newest
 * @param limit 1 to {@link dev.onejob.domain.Limits#PAGE_MAX}
 */
public record JobFilter(
    @Nullable JobState state,
    @Nullable String kind,
    @Nullable String tag,
    @Nullable JobId before,
    int limit) {}
