package dev.onejob.server.http.operation;

import dev.onejob.domain.Owner;
import dev.onejob.domain.Webhook;
import dev.onejob.domain.WebhookId;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.request.Parameters;
import dev.onejob.server.http.wire.WebhookWriter;
import dev.onejob.server.webhooks.WebhookOffice;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** {@code GET /v1/webhooks}: the webhooks of an owner; for operators, of all owners. */
final class ListWebhooks implements Operation {
  private static final Set<String> PARAMETERS = Set.of("cursor", PageLimit.PARAMETER);

  private final WebhookOffice office;

  ListWebhooks(WebhookOffice office) {
    this.office = office;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Parameters parameters = Parameters.of(ctx, PARAMETERS);
    WebhookId before = parameters.read("cursor", "a cursor of this list", ListWebhooks::id);
    int limit = PageLimit.of(parameters);
    Owner owner = caller.role() == Role.OPERATOR ? null : caller.owner();
    List<Webhook> page = office.webhooks().list(owner, before, limit);
    String next = page.size() < limit ? null : page.getLast().id().toString();
    Answers.ok(ctx, WebhookWriter.write(page, next));
  }

  private static WebhookId id(String text) {
    return WebhookId.parse(text).orElseThrow(IllegalArgumentException::new);
  }
}
