package dev.onejob.server.ui.page;

import io.javalin.http.Context;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Addresses of the dashboard, where somebody else says which. */
public final class OwnPath {
  /** An address of the dashboard and nothing that a browser could take for another host. */
  private static final Pattern OWN = Pattern.compile("/ui(?:[/?][\\x21-\\x7e&&[^\\\\]]*)?");

  /** What strangers say is told back: nobody can make pages of ours large. */
  private static final int CHARS_MAX = 2_000;

  private OwnPath() {}

  /** The address if it is one of the dashboard, and short, else the overview. */
  public static String orOverview(@Nullable String asked) {
    return asked != null && asked.length() <= CHARS_MAX && OWN.matcher(asked).matches()
        ? asked
        : Place.OVERVIEW.path();
  }

  /**
   * The page that a form or a part was asked from, as the browser says: pages of ours let it say so
   * to ours. The overview if it says nothing, or another place.
   */
  public static String cameFrom(Context ctx) {
    return orOverview(pathOf(ctx.header("Referer")));
  }

  private static @Nullable String pathOf(@Nullable String address) {
    try {
      URI uri = URI.create(address == null ? "" : address);
      String query = uri.getRawQuery();
      return query == null ? uri.getRawPath() : uri.getRawPath() + "?" + query;
    } catch (IllegalArgumentException e) {
      return null; // no address that a browser would send
    }
  }
}
