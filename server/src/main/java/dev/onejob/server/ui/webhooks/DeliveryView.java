package dev.onejob.server.ui.webhooks;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.Webhook;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.webhooks.EventBody;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One event for one webhook.
 *
 * @param refused why it was not sent again just now; null: nobody has asked
 */
public record DeliveryView(Delivery delivery, Webhook webhook, @Nullable Problem refused) {
  /** What every try sends, to the letter. */
  public String body() {
    return new String(EventBody.of(delivery.news()), StandardCharsets.UTF_8);
  }

  /** What the button says; one that waits is tried at once instead of later. */
  public String button() {
    return delivery.state() == Delivery.State.WAITING ? "Send now" : "Send again";
  }

  /** The address of this page. */
  public String self() {
    return WebhooksSection.deliveryPath(delivery.id());
  }
}
