package dev.onejob.server.http.operation;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.Webhook;
import dev.onejob.domain.WebhookId;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.webhooks.WebhookOffice;

/** Finds what a caller may see; what belongs to another owner is not found. */
final class OwnWebhook {
  private OwnWebhook() {}

  static Webhook find(WebhookOffice office, Credential caller, WebhookId id) {
    return office
        .webhooks()
        .webhook(id)
        .filter(webhook -> Guard.reach(caller).covers(webhook.owner()))
        .orElseThrow(Problem::notFound);
  }

  static Delivery find(WebhookOffice office, Credential caller, DeliveryId id) {
    return office
        .log()
        .delivery(id)
        .filter(delivery -> Guard.reach(caller).covers(delivery.owner()))
        .orElseThrow(Problem::notFound);
  }
}
