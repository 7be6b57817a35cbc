package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import dev.onejob.store.StoreException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first page. */
public final class OverviewSection implements Section {
  private static final Logger LOG = LoggerFactory.getLogger(OverviewSection.class);

  /** As often as live pages about everything are told at most. */
  private static final Duration NOW_KEPT = Duration.ofSeconds(2);

  /** As often as nodes write what they have counted. */
  private static final Duration EVERYONE_KEPT = Duration.ofSeconds(5);

  private final OverviewReader reader;
  private final SharedView<Overview.Now> now;
  private final SharedView<Overview.Everyone> everyone;

  /** Over what pages are made from. */
  public OverviewSection(Means means) {
    EveryoneReader all = new EveryoneReader(means.reading(), means.settings().providers());
    this.reader = new OverviewReader(means.reading());
    this.now = new SharedView<>(() -> now(null), NOW_KEPT, System::nanoTime);
    this.everyone = new SharedView<>(all::read, EVERYONE_KEPT, System::nanoTime);
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
    Overview overview =
        owner == null
            ? new Overview(now.now(), everyone(), /* operator= */ true)
            : new Overview(now(owner), null, /* operator= */ false);
    visit.pageOrPart("overview/page", "overview/now", "Overview", overview);
  }

  private Overview.Now now(@Nullable Owner owner) throws SQLException {
    return new Overview.Now(reader.doubt(owner), reader.counts(owner));
  }

  /** What is in doubt is shown, whatever else cannot be read. */
  private Overview.@Nullable Everyone everyone() {
    try {
      return everyone.now();
    } catch (SQLException | StoreException e) {
      LOG.warn("a part of the overview could not be read", e);
      return null;
    }
  }
}
