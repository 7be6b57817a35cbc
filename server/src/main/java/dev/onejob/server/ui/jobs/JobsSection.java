package dev.onejob.server.ui.jobs;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Kind;
import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.config.ProviderSettings;
import dev.onejob.server.config.Settings;
import dev.onejob.server.http.door.Places;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The list of jobs, and its export. */
public final class JobsSection implements Section {
  private final JobsReader reader;
  private final JobSearch search;
  private final JobsExport export;
  private final Places places = new Places(JobsExport.EXPORTS_MAX, JobsExport.EXPORTS_OF_OWNER_MAX);
  private final Settings settings;
  private final InstantSource clock;

  /** Over what pages are made from. */
  public JobsSection(Means means) {
    this.reader = new JobsReader(means.reading(), System::nanoTime);
    this.search = new JobSearch(means.reading());
    this.export = new JobsExport(means.reading(), System::nanoTime);
    this.settings = means.settings();
    this.clock = means.clock();
  }

  @Override
  public Place place() {
    return Place.JOBS;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/jobs", this::show);
    doors.read("/jobs.csv", this::export);
  }

  private void show(Visit visit) throws IOException, SQLException {
    JobFilters filters = JobFilters.of(visit);
    String sought = visit.query("q");
    if (sought == null) {
      JobsReader.Page page = reader.list(owner(visit, filters), filters);
      answer(visit, filters, null, page, false);
      return;
    }
    Optional<JobId> job = search.byId(visit.reach(), sought);
    if (job.isPresent()) {
      visit.goTo("/ui/jobs/" + job.get());
      return;
    }
    JobSearch.Found found = search.byName(owner(visit, filters), sought);
    if (found.jobs().size() == 1 && !found.partly()) {
      visit.goTo("/ui/jobs/" + found.jobs().getFirst().id());
    } else {
      JobsReader.Page page = new JobsReader.Page(found.jobs(), null, 0);
      answer(visit, filters, sought, page, found.partly());
    }
  }

  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** What the list finds, as a file. One that is not all says so by its name and by a header. */
  private void export(Visit visit) throws SQLException, InterruptedException {
    JobFilters filters = JobFilters.of(visit);
    if (visit.query("q") != null) {
      throw Problem.parameter("q", "What a search finds has no export; use filters.");
    }
    Owner exporter = visit.who().owner();
    enter(exporter);
    try {
      give(visit, filters, export.read(owner(visit, filters), filters));
    } finally {
      places.leave(exporter);
    }
  }

  /** Takes a place until the file is there. */
  private void enter(Owner owner) {
    switch (places.enter(owner)) {
      case TAKEN -> {}
      case FULL ->
          throw refused(
              ProblemType.OVERLOADED,
              "This node makes " + JobsExport.EXPORTS_MAX + " exports already; try again.");
      case SHARE_USED ->
          throw refused(
              ProblemType.OWNER_SHARE_USED,
              JobsExport.EXPORTS_OF_OWNER_MAX
                  + " exports with API keys of this owner are under way on this node already; wait"
                  + " for the end of one.");
    }
  }

  private static ProblemException refused(ProblemType type, String why) {
    return Problem.of(type, why).withHeader("Retry-After", "5").asException();
  }

  private void give(Visit visit, JobFilters filters, JobsExport.Export export) {
    String name = "onejob-jobs-" + FILE_TIME.format(clock.instant());
    JobId next = export.goesOnBefore();
    String link = "<" + JobsPage.export(next == null ? filters : filters.before(next)) + ">";
    visit.file(
        next == null ? name + ".csv" : name + "-part.csv",
        "text/csv; charset=utf-8; header=present",
        export.csv(),
        next == null ? Map.of() : Map.of("Link", link + "; rel=\"next\""));
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
      Visit visit,
      JobFilters filters,
      @Nullable String sought,
      JobsReader.Page page,
      boolean partly)
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
            partly,
            visit.who().role() == Role.OPERATOR,
            settings.kinds().stream().map(Kind::name).sorted().toList(),
            settings.providers().stream().map(ProviderSettings::name).sorted().toList()));
  }
}
