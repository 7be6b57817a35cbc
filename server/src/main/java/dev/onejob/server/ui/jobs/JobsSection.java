package dev.onejob.server.ui.jobs;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.config.Settings;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The list of jobs. */
public final class JobsSection implements Section {
  private final JobsReader reader;
  private final JobSearch search;
  private final Settings settings;

  /** Over what pages are made from. */
  public JobsSection(Means means) {
    this.reader = new JobsReader(means.reading());
    this.search = new JobSearch(means.reading());
    this.settings = means.settings();
  }

  @Override
  public Place place() {
    return Place.JOBS;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/jobs", this::show);
  }

  private void show(Visit visit) throws IOException, SQLException {
    JobFilters filters = JobFilters.of(visit);
    String sought = visit.query("q");
    if (sought == null) {
      JobsReader.Page page = reader.list(owner(visit, filters), filters);
      answer(visit, filters, null, page);
      return;
    }
    Optional<JobId> job = search.byId(visit.reach(), sought);
    if (job.isPresent()) {
      visit.goTo("/ui/jobs/" + job.get());
      return;
    }
    List<JobRow> found = search.byName(only(visit), sought);
    if (found.size() == 1) {
      visit.goTo("/ui/jobs/" + found.getFirst().id());
    } else {
      answer(visit, filters, sought, new JobsReader.Page(found, null, 0));
    }
  }

  /** Another owner's name filters to nothing for whoever sees only their own. */
  private static @Nullable String owner(Visit visit, JobFilters filters) {
    String only = only(visit);
    return only == null ? filters.owner() : only;
  }

  private static @Nullable String only(Visit visit) {
    Owner owner = visit.reach().owner();
    return owner == null ? null : owner.value();
  }

  private void answer(
      Visit visit, JobFilters filters, @Nullable String sought, JobsReader.Page page)
      throws IOException {
    visit.pageOrPart(
        "jobs/page",
        "jobs/list",
        "Jobs",
        new JobsPage(
            filters,
            sought,
            page.jobs(),
            page.goesOnBefore(),
            page.lookedAt(),
            visit.who().role() == Role.OPERATOR,
            settings.kinds().stream().map(Kind::name).sorted().toList(),
            settings.providers().stream().map(ProviderSettings::name).sorted().toList()));
  }
}
