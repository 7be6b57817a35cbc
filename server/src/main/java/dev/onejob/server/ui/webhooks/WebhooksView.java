package dev.onejob.server.ui.webhooks;

import dev.onejob.domain.Webhook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of webhooks.
 *
 * @param webhooks newest first
 * @param next the query of the next page; null at the end
 * @param self the address of this page
 */
public record WebhooksView(List<Webhook> webhooks, @Nullable String next, String self) {
  /** Most characters of an address in a list. */
  private static final int URL_CHARS = 100;

  /** Copies the list. */
  public WebhooksView {
    webhooks = List.copyOf(webhooks);
  }

  /** An address, with a mark where its end is left out. */
  public static String cut(String url) {
    return url.codePointCount(0, url.length()) <= URL_CHARS
        ? url
        : url.substring(0, url.offsetByCodePoints(0, URL_CHARS)) + "…";
  }
}
