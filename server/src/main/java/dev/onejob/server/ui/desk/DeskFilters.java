package dev.onejob.server.ui.desk;

import dev.onejob.domain.DeskItem;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Names;
import dev.onejob.domain.Owner;
import dev.onejob.engine.DeskFilter;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.DeskCursor;
import dev.onejob.server.ui.page.Place;
import dev.onejob.server.ui.page.Visit;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a person wants to see of the desk, as it was written; an empty text does not filter.
 *
 * @param what {@link #WAITS} or {@link #DOUBTS}
 * @param limit how many on a page; empty: 20
 * @param cursor where the page begins; empty: at the oldest
 */
public record DeskFilters(
    String what, String owner, String kind, String provider, String limit, String cursor) {
  /** Everything that waits for a person, as the API's desk. */
  public static final String WAITS = "waits";

  /** Every attempt in doubt, also of jobs that have their result from another. */
  public static final String DOUBTS = "in_doubt";

  private static final int PAGE_ITEMS = 20;

  static DeskFilters of(Visit visit) {
    return new DeskFilters(
        DOUBTS.equals(visit.query("what")) ? DOUBTS : WAITS,
        text(visit, "owner"),
        text(visit, "kind"),
        text(visit, "provider"),
        text(visit, "limit"),
        text(visit, "cursor"));
  }

  private static String text(Visit visit, String name) {
    String text = visit.query(name);
    return text == null ? "" : text;
  }

  /**
   * The same for the engine.
   *
   * @throws dev.onejob.server.http.problem.ProblemException naming what cannot be used
   */
  DeskFilter read() {
    Integer limitRead =
        read("limit", "a whole number from 1 to " + Limits.PAGE_MAX, limit, DeskFilters::limit);
    return read(limitRead == null ? PAGE_ITEMS : limitRead);
  }

  private static Integer limit(String text) {
    int limit = Integer.parseInt(text);
    if (limit < 1 || limit > Limits.PAGE_MAX) {
      throw new IllegalArgumentException(text);
    }
    return limit;
  }

  DeskFilter read(int limit) {
    Owner ownerRead = read("owner", "the name of an owner", owner, Owner::new);
    String kindRead = read("kind", "the name of a kind", kind, DeskFilters::name);
    String providerRead = read("provider", "the name of a provider", provider, DeskFilters::name);
    DeskItem.Place after =
        read("cursor", "that of a link to a next page", cursor, DeskCursor::read);
    return new DeskFilter(ownerRead, kindRead, providerRead, after, limit);
  }

  private static String name(String text) {
    return Names.checked("name", text);
  }

  private static <T> @Nullable T read(
      String name, String expected, String text, Function<String, T> reader) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw Problem.parameter(name, "What is asked for as " + name + " is not " + expected + ".");
    }
  }

  /** The address of the page that begins at another cursor; empty: at the oldest. */
  public String pageAt(String other) {
    return Place.DESK.path() + query(other);
  }

  private String query(String other) {
    StringBuilder query = new StringBuilder("?what=").append(what);
    add(query, "owner", owner);
    add(query, "kind", kind);
    add(query, "provider", provider);
    add(query, "limit", limit);
    add(query, "cursor", other);
    return query.toString();
  }

  private static void add(StringBuilder query, String name, String text) {
    if (!text.isEmpty()) {
      query.append('&').append(name).append('=');
      query.append(URLEncoder.encode(text, StandardCharsets.UTF_8));
    }
  }

  /** Where the attempts of one kind at one provider are decided together. */
  public String several(String ofKind, String atProvider) {
    StringBuilder address = new StringBuilder(Place.DESK.path()).append("/several?what=in_doubt");
    add(address, "kind", ofKind);
    add(address, "provider", atProvider);
    add(address, "owner", owner);
    return address.toString();
  }
}
