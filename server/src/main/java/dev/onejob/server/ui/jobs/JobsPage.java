package dev.onejob.server.ui.jobs;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page of jobs shows.
 *
 * @param sought what was searched for; null: nothing
 * @param goesOnBefore where the next page begins; null: there is none
 * @param lookedAt how many jobs were looked through at most to find these; 0: an index knew them
 * @param everyone whether the person sees the jobs of all owners
 */
public record JobsPage(
    JobFilters filters,
    @Nullable String sought,
    List<JobRow> jobs,
    @Nullable JobId goesOnBefore,
    int lookedAt,
    boolean everyone,
    List<String> kinds,
    List<String> providers) {
  /** Copies the lists. */
  public JobsPage {
    jobs = List.copyOf(jobs);
    kinds = List.copyOf(kinds);
    providers = List.copyOf(providers);
  }

  /** The words of all states. */
  public List<String> states() {
    return Arrays.stream(JobState.values()).map(JobState::word).toList();
  }

  /** Whether the list renews itself: only where new jobs come. */
  public boolean isLive() {
    return sought == null && filters.newest();
  }

  /** The address of the list as it is. */
  public String here() {
    return "/ui/jobs?" + filters.query();
  }

  /** The address of the next page; null: there is none. */
  public @Nullable String next() {
    return goesOnBefore == null ? null : "/ui/jobs?" + filters.before(goesOnBefore).query();
  }
}
