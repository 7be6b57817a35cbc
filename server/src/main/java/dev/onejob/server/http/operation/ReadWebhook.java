package dev.onejob.server.http.operation;

import dev.onejob.server.access.Credential;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.wire.WebhookWriter;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.http.Context;
import java.io.IOException;

/** {@code GET /v1/webhooks/{id}}: one webhook, without its secrets. */
final class ReadWebhook implements Operation {
  private final WebhookOffice office;

  ReadWebhook(WebhookOffice office) {
    this.office = office;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Answers.ok(ctx, WebhookWriter.write(OwnWebhook.find(office, caller, PathIds.webhook(ctx))));
  }
}
