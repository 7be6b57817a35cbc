package dev.onejob.server.http.operation;

import dev.onejob.domain.Webhook;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.http.Context;

/** {@code DELETE /v1/webhooks/{id}}: removes a webhook; it hears of nothing more. */
final class RemoveWebhook implements Operation {
  private final WebhookOffice office;

  RemoveWebhook(WebhookOffice office) {
    this.office = office;
  }

  @Override
  public void handle(Context ctx, Credential caller) {
    Webhook webhook = OwnWebhook.find(office, caller, PathIds.webhook(ctx));
    office.webhooks().remove(webhook.id());
    Answers.noContent(ctx);
  }
}
