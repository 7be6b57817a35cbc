package dev.onejob.server.http.operation;

import dev.onejob.domain.Webhook;
import dev.onejob.domain.Webhook.Event;
import dev.onejob.domain.Webhook.Jobs;
import dev.onejob.server.access.Credential;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.WebhookWriter;
import dev.onejob.server.webhooks.WebhookOffice;
import dev.onejob.server.webhooks.WebhookOffice.UnusableWish;
import dev.onejob.server.webhooks.WebhookOffice.Wish;
import dev.onejob.store.Webhooks.Registered;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/webhooks}: registers a webhook and shows its secret this once. */
final class CreateWebhook implements Operation {
  private static final Set<String> MEMBERS = Set.of("name", "url", "events", "jobs");

  private final WebhookOffice office;

  CreateWebhook(WebhookOffice office) {
    this.office = office;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Members members = Members.read(RequestBody.read(ctx.req()), MEMBERS);
    Jobs jobs = members.word("jobs", Jobs.values(), Jobs::word);
    WebhookOffice.Answer answer =
        registered(
            new Wish(
                caller.owner(),
                Members.required("name", members.text("name")),
                Members.required("url", members.text("url")),
                events(members.texts("events")),
                jobs == null ? Jobs.ALL : jobs));
    switch (answer.registered()) {
      case Registered.Made made ->
          Answers.created(ctx, WebhookWriter.write(made.webhook(), answer.secret()));
      case Registered.NameTaken taken ->
          throw refused(
              ProblemType.WEBHOOK_NAME_TAKEN,
              "Remove the webhook of this name first, or choose another name.");
      case Registered.Full full ->
          throw refused(
              ProblemType.WEBHOOKS_FULL,
              "An owner has at most " + Webhook.OWNED_MAX + " webhooks; remove one first.");
    }
  }

  private WebhookOffice.Answer registered(Wish wish) {
    try {
      return office.register(wish);
    } catch (UnusableWish e) {
      throw Problem.field("/" + e.member(), String.valueOf(e.getMessage()));
    }
  }

  private static List<Event> events(@Nullable List<String> words) {
    if (words == null) {
      return List.of(Event.values());
    }
    List<Event> events = new ArrayList<>();
    for (String word : words) {
      try {
        events.add(Event.of(word));
      } catch (IllegalArgumentException e) {
        throw Problem.field("/events/" + events.size(), "An event is job.ended or job.in_doubt.");
      }
    }
    return events;
  }

  private static ProblemException refused(ProblemType type, String detail) {
    return Problem.of(type, detail).asException();
  }
}
