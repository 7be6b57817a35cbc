package dev.onejob.engine;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.store.JobQueries;
import java.util.List;
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
    int limit) {
  /** One page of the jobs within reach. */
  Job.Page page(Access access, JobQueries queries) {
    int most = Math.clamp(limit, 1, Limits.PAGE_MAX);
    List<Job.Summary> found =
        queries.list(new JobQueries.Filter(access.owner(), state, kind, tag, before, most + 1));
    boolean more = found.size() > most;
    List<Job.Summary> page = more ? found.subList(0, most) : found;
    return new Job.Page(
        List.copyOf(page),
        queries.paid(page.stream().map(Job.Summary::id).toList()),
        more ? page.getLast().id() : null);
  }
}
