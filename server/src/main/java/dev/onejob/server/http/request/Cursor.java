package dev.onejob.server.http.request;

import dev.onejob.domain.JobId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where the next page of a list begins, as an opaque text. */
public final class Cursor {
  /** Tells cursors of this form from those of a later one. */
  private static final String VERSION = "1:";

  private Cursor() {}

  /** The text form; null at the end of the list. */
  public static @Nullable String write(@Nullable JobId last) {
    return last == null
        ? null
        : Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString((VERSION + last).getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it was not made by {@link #write}
   */
  public static JobId read(String cursor) {
    String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
    if (!text.startsWith(VERSION)) {
      throw new IllegalArgumentException("cursor of another form");
    }
    return JobId.parse(text.substring(VERSION.length()))
        .orElseThrow(() -> new IllegalArgumentException("cursor without an id"));
  }
}
