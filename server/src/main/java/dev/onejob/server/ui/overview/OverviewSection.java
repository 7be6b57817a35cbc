package dev.onejob.server.ui.overview;

import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.sql.SQLException;

/** The first page. */
public final class OverviewSection implements Section {
  private final OverviewReader reader;

  /** Over what pages are made from. */
  public OverviewSection(Means means) {
    this.reader = new OverviewReader(means.reading());
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
    visit.pageOrPart(
        "overview/page", "overview/now", "Overview", reader.doubt(visit.reach().owner()));
  }
}
