package dev.onejob.server.ui.page;

import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Session;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands around the content of every page.
 *
 * @param title of the page, without the name of the product
 * @param place which part of the dashboard it belongs to; null: none
 * @param places what this person can go to, in order
 * @param session null: nobody has logged in
 * @param now the clock of the node when the page was made; for ages only
 */
public record Frame(
    String title,
    @Nullable Place place,
    List<Place> places,
    @Nullable Session session,
    Assets assets,
    Instant now) {
  /** Copies the list. */
  public Frame {
    places = List.copyOf(places);
  }

  /** Who looks; null: nobody has logged in. */
  public @Nullable Credential who() {
    return session == null ? null : session.who();
  }

  /** The token that every form of this page carries; empty if nobody has logged in. */
  public String csrf() {
    return session == null ? "" : session.csrf();
  }

  /** What htmx sends along with every request of this page. */
  public String headers() {
    return "{\"" + Form.CSRF_HEADER + "\": \"" + csrf() + "\"}";
  }
}
