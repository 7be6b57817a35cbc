package dev.onejob.server.ui.job;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Result;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.operation.Acts;
import dev.onejob.server.http.operation.Deeds;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Unsure;
import dev.onejob.server.ui.page.Visit;
import dev.onejob.store.JobQueries;
import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The page of one job, and its buttons. */
public final class JobSection implements Section {
  private final JobReader reader;
  private final JobQueries queries;
  private final Acts acts;
  private final InstantSource clock;

  /** Over what pages are made from. */
  public JobSection(Means means) {
    this.reader = new JobReader(means.reading());
    this.queries = new JobQueries(means.reading());
    this.acts = means.acts();
    this.clock = means.clock();
  }

  @Override
  public Place place() {
    return Place.JOBS;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/jobs/{id}", this::show);
    doors.read("/jobs/{id}/input", this::input);
    doors.read("/jobs/{id}/result", this::result);
    doors.read("/attempts/{id}", this::attempt);
    doors.press("/jobs/{id}/attempts", visit -> press(visit, JobSection::fallback));
    doors.press("/jobs/{id}/cancel", visit -> press(visit, JobSection::cancel));
    doors.press("/jobs/{id}/reopen", visit -> press(visit, this::reopen));
    doors.press("/jobs/{id}/acknowledgement", visit -> press(visit, JobSection::acknowledge));
    doors.decide("/jobs/{id}/resolution", visit -> press(visit, this::resolve));
  }

  private static JobId id(Visit visit) {
    return JobId.parse(visit.path("id")).orElseThrow(Problem::notFound);
  }

  private void show(Visit visit) throws IOException, SQLException {
    visit.pageOrPart(
        "job/page", "job/part", "Job", page(visit, shown(visit), null, JobPage.Typed.NOTHING));
  }

  private JobQueries.Excerpt shown(Visit visit) throws SQLException {
    return reader.shown(visit.reach(), id(visit)).orElseThrow(Problem::notFound);
  }

  private JobPage page(
      Visit visit, JobQueries.Excerpt found, @Nullable Problem refusal, JobPage.Typed typed)
      throws SQLException {
    Job job = found.job();
    Timeline timeline = Timeline.of(job, reader.repeatedAt(job.id()), clock.instant());
    return new JobPage(
        job,
        timeline,
        refusal,
        typed,
        Unsure.mark(refusal, visit.form(), Mark.of(job)),
        visit.who().role() == Role.OPERATOR,
        new JobPage.Sizes(found.inputBytes(), found.resultBytes()));
  }

  /** The input, to the byte. */
  private void input(Visit visit) {
    Job job = reader.whole(visit.reach(), id(visit)).orElseThrow(Problem::notFound);
    byte[] bytes = job.input();
    if (bytes == null) {
      throw Problem.notFound();
    }
    visit.text(job.id() + "-input.txt", bytes);
  }

  /** The result, to the byte. */
  private void result(Visit visit) {
    Job job = reader.whole(visit.reach(), id(visit)).orElseThrow(Problem::notFound);
    Result result = job.result();
    if (result == null) {
      throw Problem.notFound();
    }
    visit.text(job.id() + "-result.txt", result.bytes());
  }

  /** An attempt is shown with its job. */
  private void attempt(Visit visit) {
    AttemptId id = AttemptId.parse(visit.path("id")).orElseThrow(Problem::notFound);
    JobId job =
        queries
            .jobOf(id)
            .filter(found -> reader.bare(visit.reach(), found).isPresent())
            .orElseThrow(Problem::notFound);
    visit.goTo("/ui/jobs/" + job + "#" + id);
  }

  private interface Press {
    void on(Deeds deeds, Visit visit, JobId id);
  }

  /** Does it and shows the job, or shows the job and why it was not done. */
  private void press(Visit visit, Press press) throws IOException {
    JobId id = id(visit);
    try {
      press.on(acts.asOf(visit.form().asOf()), visit, id);
    } catch (RuntimeException e) {
      refused(visit, id, visit.fault(e));
      return;
    }
    visit.goTo("/ui/jobs/" + id);
  }

  private void refused(Visit visit, JobId id, Problem problem) throws IOException {
    if (problem.type() == ProblemType.NOT_FOUND) {
      throw problem.asException();
    }
    JobPage page;
    try {
      JobPage.Typed typed = new JobPage.Typed(visit.lastOfPath(), visit.form());
      page = page(visit, shown(visit), problem, typed);
    } catch (SQLException | RuntimeException e) {
      visit.unread("Job", "/ui/jobs/" + id, problem, e);
      return;
    }
    visit.refused("job/page", "Job", problem, page);
  }

  private static void fallback(Deeds deeds, Visit visit, JobId id) {
    deeds.press(visit.who(), id, visit.form().text("provider"));
  }

  private static void cancel(Deeds deeds, Visit visit, JobId id) {
    deeds.cancel(visit.who(), id);
  }

  private void reopen(Deeds deeds, Visit visit, JobId id) {
    deeds.reopen(visit.who(), id, JobForms.reopen(visit.form(), visit.who().name(), clock));
  }

  private static void acknowledge(Deeds deeds, Visit visit, JobId id) {
    deeds.acknowledge(visit.who(), id, JobForms.then(visit.form()), JobForms.reason(visit.form()));
  }

  /** Of an attempt of this very job: what the page has shown is what is decided about. */
  private void resolve(Deeds deeds, Visit visit, JobId id) {
    AttemptId attempt =
        AttemptId.parse(visit.form().required("attempt")).orElseThrow(Problem::notFound);
    if (queries.jobOf(attempt).filter(id::equals).isEmpty()) {
      throw Problem.notFound();
    }
    deeds.resolve(visit.who(), attempt, JobForms.decision(visit.form(), visit.who().name()));
  }
}
