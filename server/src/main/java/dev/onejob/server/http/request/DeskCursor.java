package dev.onejob.server.http.request;

import dev.onejob.domain.DeskItem;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where the next page of what waits for a person begins, as an opaque text. */
public final class DeskCursor {
  /** Tells cursors of this form from those of other lists and of a later form. */
  private static final String VERSION = "d1:";

  private static final String BETWEEN = "/";

  private DeskCursor() {}

  /** The text form; null at the end of the list. */
  public static @Nullable String write(DeskItem.@Nullable Place last) {
    return last == null
        ? null
        : Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(
                (VERSION + last.since() + BETWEEN + last.id()).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it was not made by {@link #write}
   */
  public static DeskItem.Place read(String cursor) {
    String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
    int between = text.indexOf(BETWEEN);
    if (!text.startsWith(VERSION) || between < 0) {
      throw new IllegalArgumentException("cursor of another form");
    }
    try {
      DeskItem.Place place =
          new DeskItem.Place(
              Instant.parse(text.substring(VERSION.length(), between)),
              UUID.fromString(text.substring(between + 1)));
      if (cursor.equals(write(place)) && place.since().isAfter(Instant.EPOCH)) {
        return place;
      }
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("cursor without a time", e);
    }
    throw new IllegalArgumentException("cursor of another form");
  }
}
