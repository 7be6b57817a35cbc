package dev.onejob.server.http.operation;

import dev.onejob.domain.DeliveryId;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.WebhookWriter;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code POST /v1/webhooks/deliveries/{id}/resend}: sends an event again, under the same id. */
final class ResendDelivery implements Operation {
  private final WebhookOffice office;
  private final WebhookActs acts;

  ResendDelivery(WebhookOffice office) {
    this.office = office;
    this.acts = new WebhookActs(office);
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    DeliveryId id = PathIds.delivery(ctx);
    acts.resend(caller, id);
    Answers.ok(ctx, WebhookWriter.write(OwnWebhook.find(office, caller, id)));
  }
}
