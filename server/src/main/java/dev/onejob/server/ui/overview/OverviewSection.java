package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.Role;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.sql.SQLException;

/** The first page. */
public final class OverviewSection implements Section {
  private final OverviewReader reader;
  private final EveryoneReader everyone;

  /** Over what pages are made from. */
  public OverviewSection(Means means) {
    this.reader = new OverviewReader(means.reading());
    this.everyone = new EveryoneReader(means.reading(), means.settings().providers());
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
    boolean operator = visit.who().role() == Role.OPERATOR;
    Overview overview =
        new Overview(reader.doubt(owner), reader.counts(owner), operator ? everyone.read() : null);
    visit.pageOrPart("overview/page", "overview/now", "Overview", overview);
  }
}
