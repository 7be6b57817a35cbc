package dev.onejob.server.http.operation;

import dev.onejob.domain.DeliveryId;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.WebhookWriter;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code POST /v1/webhooks/deliveries/{id}/resend}: sends an event again, under the same id. */
final class ResendDelivery implements Operation {
  private final WebhookOffice office;

  ResendDelivery(WebhookOffice office) {
    this.office = office;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    DeliveryId id = OwnWebhook.find(office, caller, PathIds.delivery(ctx)).id();
    switch (office.deliveries().resend(id)) {
      case DONE -> Answers.ok(ctx, WebhookWriter.write(OwnWebhook.find(office, caller, id)));
      case UNDER_WAY ->
          throw Problem.of(
                  ProblemType.DELIVERY_UNDER_WAY,
                  "The event is being sent at this moment; look at its log.")
              .asException();
      case NOT_IN_USE ->
          throw Problem.of(
                  ProblemType.WEBHOOK_NOT_IN_USE,
                  "The webhook of this event is disabled or removed; nothing is sent there.")
              .asException();
      case NOT_FOUND -> throw Problem.notFound();
    }
  }
}
