package dev.onejob.server.ui.keys;

import dev.onejob.server.access.ApiKey;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A page of API keys.
 *
 * @param keys those in use first, and the newest first among them
 * @param own the key that the person has logged in with; it cannot withdraw itself
 * @param next the query of the next page; null at the end
 * @param most keys that the whole list shows; null: it shows all there are
 */
public record KeysView(List<ApiKey> keys, UUID own, @Nullable String next, @Nullable Integer most) {
  /** Copies the list. */
  public KeysView {
    keys = List.copyOf(keys);
  }
}
