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
  /** Copies the list. */
  public WebhooksView {
    webhooks = List.copyOf(webhooks);
  }
}
