package dev.onejob.server.ui.webhooks;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.Webhook;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A webhook and a page of its log.
 *
 * @param state of the deliveries that are shown; null: all
 * @param deliveries newest first
 * @param next the query of the next page; null at the end
 * @param self the address of this page
 */
public record LogView(
    Webhook webhook,
    Delivery.@Nullable State state,
    List<Delivery> deliveries,
    @Nullable String next,
    String self) {
  /** Copies the list. */
  public LogView {
    deliveries = List.copyOf(deliveries);
  }

  /** How many secrets sign, the present one included. */
  public int secrets() {
    return 1 + webhook.secretsUntil().size();
  }
}
