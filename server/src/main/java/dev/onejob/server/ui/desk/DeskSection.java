package dev.onejob.server.ui.desk;

import dev.onejob.domain.DeskItem;
import dev.onejob.engine.Access;
import dev.onejob.engine.DeskFilter;
import dev.onejob.engine.DeskView;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.request.DeskCursor;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The desk. Owners see their own attempts in doubt, as by the API; only operators decide. */
public final class DeskSection implements Section {
  private static final String TITLE = "Desk";

  private final DeskView view;
  private final DeskReader reader;
  private final Rules rules;
  private final DecideOne one;
  private final DecideSeveral several;

  /** Over what pages are made from. */
  public DeskSection(Means means) {
    this.view = DeskView.over(means.engine(), means.reading());
    this.reader = new DeskReader(means.reading());
    this.rules = new Rules(means.settings().kinds());
    this.one = new DecideOne(view, reader, rules, means.acts());
    this.several = new DecideSeveral(view, reader, means.acts());
  }

  @Override
  public Place place() {
    return Place.DESK;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/desk", this::list);
    doors.read("/desk/attempts/{id}", one::showAttempt);
    doors.decide("/desk/attempts/{id}", one::decideAttempt);
    doors.read("/desk/jobs/{id}", one::showJob);
    doors.press("/desk/jobs/{id}", one::decideJob);
    doors.read("/desk/several", several::show);
    doors.press("/desk/several", several::decide);
  }

  static DeskPage.Powers powers(Visit visit) {
    return visit.who().role() == Role.OPERATOR ? DeskPage.Powers.DECIDES : DeskPage.Powers.LOOKS;
  }

  private void list(Visit visit) throws IOException, SQLException {
    DeskFilters filters = DeskFilters.of(visit);
    DeskFilter wanted;
    try {
      wanted = wanted(filters, powers(visit));
    } catch (ProblemException e) {
      DeskPage page = page(visit, filters, List.of(), new DeskItem.Page(List.of(), null), e);
      visit.refused(visit.wantsPart() ? "desk/list" : "desk/page", TITLE, e.problem(), page);
      return;
    }
    Access reach = visit.reach();
    boolean doubtsOnly =
        filters.what().equals(DeskFilters.DOUBTS) || powers(visit) == DeskPage.Powers.LOOKS;
    DeskItem.Page found = doubtsOnly ? view.inDoubt(reach, wanted) : view.all(reach, wanted);
    List<DeskGroup> groups = reader.groups(wanted.owner() == null ? reach.owner() : wanted.owner());
    visit.pageOrPart("desk/page", "desk/list", TITLE, page(visit, filters, groups, found, null));
  }

  private static DeskFilter wanted(DeskFilters filters, DeskPage.Powers powers) {
    if (powers == DeskPage.Powers.LOOKS && !filters.owner().isEmpty()) {
      throw Problem.parameter("owner", "Only an operator key chooses among owners.");
    }
    return filters.read();
  }

  private DeskPage page(
      Visit visit,
      DeskFilters filters,
      List<DeskGroup> groups,
      DeskItem.Page found,
      @Nullable ProblemException refused) {
    String next = DeskCursor.write(found.next());
    return new DeskPage(
        filters,
        powers(visit),
        groups,
        found.items().stream().map(rules::with).toList(),
        filters.pageAt(filters.cursor()),
        next == null ? null : filters.pageAt(next),
        refused == null ? null : refused.problem());
  }
}
