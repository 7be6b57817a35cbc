package dev.onejob.server.ui.keys;

import dev.onejob.server.access.ApiKey;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.http.operation.KeyActs;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.ui.page.Means;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Section;
import dev.onejob.server.ui.page.Visit;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The API keys of the deployment, for operators. Keys are made by the API and command line. */
public final class KeysSection implements Section {
  /** Each row has a form; more would make a page of more than a hundred kilobytes. */
  private static final int PAGE_ROWS = 50;

  private static final Pattern WHOLE = Pattern.compile("[1-9][0-9]{0,3}");

  private final ApiKeys reading;
  private final KeyActs acts;

  /** Over what pages are made from. */
  public KeysSection(Means means) {
    this.reading = new ApiKeys(means.reading());
    this.acts = new KeyActs(means.keys());
  }

  @Override
  public Place place() {
    return Place.KEYS;
  }

  @Override
  public void open(Doors doors) {
    doors.read("/keys", this::list);
    doors.press("/keys/{id}/withdraw", this::withdraw);
  }

  /** The order is of a list that others change meanwhile: a page may show a key once more. */
  private void list(Visit visit) throws IOException {
    int from = from(visit.query("from"));
    List<ApiKey> all = reading.list();
    List<ApiKey> page = all.stream().skip(from).limit(PAGE_ROWS).toList();
    boolean more = all.size() > from + PAGE_ROWS;
    visit.page(
        "keys/page",
        "Keys",
        new KeysView(
            page,
            visit.who().id(),
            more ? "?from=" + (from + PAGE_ROWS) : null,
            all.size() < ApiKeys.LIST_MAX ? null : ApiKeys.LIST_MAX));
  }

  private void withdraw(Visit visit) {
    acts.withdraw(visit.who(), PathIds.key(visit.context()));
    visit.goTo(Place.KEYS.path());
  }

  private static int from(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    if (!WHOLE.matcher(text).matches()) {
      throw Problem.parameter("from", "This is a whole number from 1 to 9999.");
    }
    return Integer.parseInt(text);
  }
}
