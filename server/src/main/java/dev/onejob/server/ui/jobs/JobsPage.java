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
 * @param partly whether there are owners or providers among whom was not searched
 * @param everyone whether the person sees the jobs of all owners
 */
public record JobsPage(
    JobFilters filters,
    @Nullable String sought,
    List<JobRow> jobs,
    @Nullable JobId goesOnBefore,
    int lookedAt,
    boolean partly,
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

  /** Whether a search ended because it had found as many as are shown. */
  public boolean isCut() {
    return sought != null && jobs.size() >= JobsReader.PAGE;
  }

  /** How many owners, or providers, a search looks at. */
  public int searchedMax() {
    return JobSearch.GROUPS_MAX;
  }

  /** Whether the list renews itself: only where new jobs come. */
  public boolean isLive() {
    return sought == null && filters.newest();
  }

  /** The address of the list as it is. */
  public String here() {
    return "/ui/jobs?" + filters.query();
  }

  /** The address of the file that holds what such filters find. */
  public static String export(JobFilters filters) {
    String query = filters.query();
    return query.isEmpty() ? "/ui/jobs.csv" : "/ui/jobs.csv?" + query;
  }

  /** The address of the file that holds what the list finds. */
  public String export() {
    return export(filters);
  }

  /** How many jobs such a file has at most. */
  public int exportedMax() {
    return JobsExport.JOBS_MAX;
  }

  /** The address of the next page; null: there is none. */
  public @Nullable String next() {
    return goesOnBefore == null ? null : "/ui/jobs?" + filters.before(goesOnBefore).query();
  }
}
