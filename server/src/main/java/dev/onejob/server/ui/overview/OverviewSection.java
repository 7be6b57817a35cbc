package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.sql.SQLException;

/** The first page. */
public final class OverviewSection implements Section {
  private final SharedView view;

  /** Over what pages are made from. */
  public OverviewSection(Means means) {
    this.view =
        new SharedView(
            new OverviewReader(means.reading()),
            new EveryoneReader(means.reading(), means.settings().providers()),
            means.clock());
  }

  @Override
  public Place place() {
    return Place.OVERVIEW;
  }

  @Override
  public void open(Doors doors) {
    doors.read("", this::show);
  }

  private void show(Visit visit) throws IOException, SQLException {
    Owner owner = visit.reach().owner();
    Overview overview = owner == null ? view.everything() : view.of(owner);
    visit.pageOrPart("overview/page", "overview/now", "Overview", overview);
  }
}
