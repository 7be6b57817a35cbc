package dev.onejob.server.http.operation;

import dev.onejob.domain.Webhook;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.PathIds;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.WebhookWriter;
import dev.onejob.server.webhooks.WebhookOffice;
import dev.onejob.store.Webhooks;
import io.javalin.http.Context;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Set;

/** {@code POST /v1/webhooks/{id}/rotate}: makes a new secret and shows it this once. */
final class RotateWebhook implements Operation {
  private static final String OVERLAP = "overlap_seconds";
  private static final Set<String> MEMBERS = Set.of(OVERLAP);
  private static final Duration OVERLAP_USUAL = Duration.ofDays(1);
  private static final Duration OVERLAP_MAX = Duration.ofDays(7);

  private final WebhookOffice office;

  RotateWebhook(WebhookOffice office) {
    this.office = office;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Webhook webhook = OwnWebhook.find(office, caller, PathIds.webhook(ctx));
    Duration overlap = overlap(RequestBody.read(ctx.req()));
    WebhookOffice.NewSecret made = office.rotate(webhook.id(), overlap);
    switch (made.rotated()) {
      case DONE ->
          Answers.ok(
              ctx,
              WebhookWriter.write(OwnWebhook.find(office, caller, webhook.id()), made.secret()));
      case TOO_MANY ->
          throw Problem.of(
                  ProblemType.WEBHOOK_SECRETS_FULL,
                  Webhooks.SECRETS_MAX
                      + " secrets sign already; wait until one runs out, or end all of them with "
                      + OVERLAP
                      + " 0.")
              .asException();
      case NOT_FOUND -> throw Problem.notFound();
    }
  }

  private static Duration overlap(byte[] body) {
    BigDecimal seconds = body.length == 0 ? null : Members.read(body, MEMBERS).number(OVERLAP);
    if (seconds == null) {
      return OVERLAP_USUAL;
    }
    boolean fits =
        seconds.signum() >= 0
            && seconds.compareTo(BigDecimal.valueOf(OVERLAP_MAX.toSeconds())) <= 0
            && seconds.stripTrailingZeros().scale() <= 0;
    if (!fits) {
      throw Problem.field(
          "/" + OVERLAP,
          "This is a whole number of seconds from 0 to " + OVERLAP_MAX.toSeconds() + ".");
    }
    return Duration.ofSeconds(seconds.longValue());
  }
}
