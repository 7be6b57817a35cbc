package dev.onejob.server.ui.qualifications;

import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.QualificationRun.State;
import dev.onejob.domain.RunId;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.qualification.Qualifier;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import dev.onejob.server.ui.qualifications.Cell.LastRun;
import dev.onejob.server.ui.qualifications.QualificationReader.Pair;
import dev.onejob.server.ui.qualifications.RunPage.Beside;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who has proved what; for operators. */
public final class QualificationsSection implements Section {
  private static final Set<String> JUDGED =
      Set.of(State.PASSED.word(), State.FAILED.word(), State.INCONCLUSIVE.word());

  private static final String RUNS = Place.QUALIFICATIONS.path() + "/runs/";

  private final Qualifier qualifier;
  private final QualificationReader reader;
  private final Cells cells;

  /** Over what pages are made from. */
  public QualificationsSection(Means means) {
    this.qualifier = means.qualifier();
    this.reader = new QualificationReader(means.reading());
    this.cells = new Cells(qualifier.scope(), means.settings().kinds(), reader);
  }

  @Override
  public Place place() {
    return Place.QUALIFICATIONS;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/qualifications", this::all);
    doors.read("/qualifications/of", this::one);
    doors.press("/qualifications/of", this::start);
    doors.read("/qualifications/runs/{id}", this::run);
    doors.press("/qualifications/runs/{id}", this::stop);
    doors.read("/qualifications/runs/{id}/question", this::question);
  }

  private void all(Visit visit) throws IOException, SQLException {
    visit.pageOrPart(
        "qualifications/page",
        "qualifications/matrix",
        Place.QUALIFICATIONS.label(),
        cells.matrix());
  }

  private static Pair pair(@Nullable String kind, @Nullable String provider) {
    if (kind == null || provider == null) {
      throw Problem.notFound();
    }
    return new Pair(kind, provider);
  }

  private void one(Visit visit) throws IOException, SQLException {
    Pair pair = pair(visit.query("kind"), visit.query("provider"));
    if (visit.wantsPart()) {
      visit.part("qualifications/cellpart", page(pair, null, null));
    } else {
      visit.page("qualifications/of", title(pair), page(pair, prospect(pair), null));
    }
  }

  private static String title(Pair pair) {
    return pair.provider() + " for " + pair.kind();
  }

  private Qualifier.Prospect prospect(Pair pair) {
    return qualifier.prospects(pair.kind(), List.of(pair.provider())).getFirst();
  }

  private CellPage page(Pair pair, Qualifier.@Nullable Prospect prospect, @Nullable Problem problem)
      throws SQLException {
    return new CellPage(
        cells.cell(pair), reader.history(pair), reader.runs(pair), prospect, problem);
  }

  private void start(Visit visit) throws IOException, SQLException {
    Pair pair = pair(visit.form().text("kind"), visit.form().text("provider"));
    cells.cell(pair); // else there is nothing here
    Qualifier.Prospect prospect = prospect(pair);
    try {
      if (prospect.unusable() != null) {
        throw Problem.field("/providers", "Nothing was started: " + prospect.unusable() + ".");
      }
      requireNewest(visit, pair);
      RunId id = qualifier.open(pair.kind(), pair.provider(), visit.who().name());
      visit.goTo(RUNS + id);
    } catch (ProblemException e) {
      visit.refused(
          "qualifications/of", title(pair), e.problem(), page(pair, prospect, e.problem()));
    }
  }

  /** A run costs money: a press of before another run is of somebody who has not seen that one. */
  private void requireNewest(Visit visit, Pair pair) throws SQLException {
    LastRun newest = reader.newestRuns(List.of(pair)).get(pair);
    if (!CellPage.mark(newest == null ? null : newest.id()).equals(visit.form().asOf().text())) {
      throw Problem.of(
              ProblemType.QUALIFICATION_CHANGED,
              "Nothing was started: another run has begun since the page was shown. This is how it"
                  + " stands now.")
          .asException();
    }
  }

  private QualificationRun found(Visit visit) {
    return reader.run(PathIds.run(visit.context())).orElseThrow(Problem::notFound);
  }

  private void run(Visit visit) throws IOException, SQLException {
    QualificationRun run = found(visit);
    visit.pageOrPart(
        "qualifications/runpage",
        "qualifications/run",
        "Run of " + run.subject().provider() + " for " + run.subject().kind(),
        RunReading.page(run, beside(run)));
  }

  /** The newest runs of the others on the route that have been judged. */
  private List<Beside> beside(QualificationRun run) throws SQLException {
    String kind = run.subject().kind();
    List<Pair> others =
        cells.route(kind).stream()
            .filter(each -> !each.equals(run.subject().provider()))
            .map(each -> new Pair(kind, each))
            .toList();
    Map<Pair, LastRun> newest = reader.newestRuns(others);
    List<Beside> beside = new ArrayList<>();
    for (Pair each : others) {
      LastRun last = newest.get(each);
      if (last != null && JUDGED.contains(last.state())) {
        beside.add(new Beside(last.id(), each.provider(), last.state()));
      }
    }
    return beside;
  }

  private void stop(Visit visit) {
    RunId id = PathIds.run(visit.context());
    qualifier.runs().stop(id);
    visit.goTo(RUNS + id);
  }

  private void question(Visit visit) throws IOException, SQLException {
    QualificationRun run = found(visit);
    String key = visit.query("ask");
    List<QualificationRun> with =
        Optional.ofNullable(visit.query("with"))
            .flatMap(RunId::parse)
            .filter(id -> !id.equals(run.id()))
            .flatMap(reader::run)
            .filter(other -> other.subject().kind().equals(run.subject().kind()))
            .stream()
            .toList();
    List<Beside> beside = beside(run);
    QuestionPage page =
        Optional.ofNullable(key)
            .flatMap(known -> RunReading.question(run, known, with, beside))
            .orElseThrow(Problem::notFound);
    visit.page("qualifications/question", "Question " + page.key(), page);
  }
}
