package dev.onejob.server.http.operation;

import dev.onejob.domain.Delivery;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.Webhook;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.WebhookWriter;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** {@code GET /v1/webhooks/{id}/deliveries}: what a webhook was told, newest first. */
final class ListDeliveries implements Operation {
  private static final Set<String> PARAMETERS = Set.of("state", "cursor", PageLimit.PARAMETER);

  private final WebhookOffice office;

  ListDeliveries(WebhookOffice office) {
    this.office = office;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Webhook webhook = OwnWebhook.find(office, caller, PathIds.webhook(ctx));
    Parameters parameters = Parameters.of(ctx, PARAMETERS);
    Delivery.State state =
        parameters.read("state", "waiting, delivered or failed", ListDeliveries::state);
    DeliveryId before = parameters.read("cursor", "a cursor of this list", ListDeliveries::id);
    int limit = PageLimit.of(parameters);
    List<Delivery> page = office.log().list(webhook.id(), state, before, limit);
    String next = page.size() < limit ? null : page.getLast().id().toString();
    Answers.ok(ctx, WebhookWriter.writeLog(page, next));
  }

  private static Delivery.State state(String word) {
    for (Delivery.State state : Delivery.State.values()) {
      if (state.word().equals(word)) {
        return state;
      }
    }
    throw new IllegalArgumentException(word);
  }

  private static DeliveryId id(String text) {
    return DeliveryId.parse(text).orElseThrow(IllegalArgumentException::new);
  }
}
