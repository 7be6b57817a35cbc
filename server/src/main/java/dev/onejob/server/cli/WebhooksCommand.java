package dev.onejob.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code webhooks}: where an owner hears of jobs, and what was told. */
@Command(
    name = "webhooks",
    mixinStandardHelpOptions = true,
    description = "Lists, makes and removes webhooks; shows what they were told.",
    synopsisSubcommandLabel = "COMMAND")
final class WebhooksCommand {
  private static final String ROW = "%-29s %-20s %-20s %-22s %-6s %s";
  private static final String DELIVERY_ROW = "%-30s %-13s %-30s %-10s %-10s %5s %s";
  private static final String PATH = "/v1/webhooks";

  private final Terminal terminal;

  WebhooksCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the webhooks of the key's owner; with an operator key, all.")
  int list(
      @Mixin ApiOptions api,
      @Option(names = "--cursor", paramLabel = "CURSOR", description = "go on where a list ended")
          @Nullable String cursor)
      throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      JsonNode page = client.get(PATH + "?limit=200" + next(cursor)).good();
      if (api.json) {
        Output.document(terminal, page);
      } else {
        terminal.print(ROW.formatted("ID", "OWNER", "NAME", "EVENTS", "JOBS", "URL"));
        page.path("webhooks").valueStream().map(WebhooksCommand::row).forEach(terminal::print);
        ListOptions.sayMore(terminal, page);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Makes a webhook and prints its secret, this once.")
  int create(
      @Mixin ApiOptions api,
      @Option(names = "--name", required = true, paramLabel = "NAME", description = "of its owner")
          String name,
      @Option(names = "--to", required = true, paramLabel = "URL", description = "where to post")
          String to,
      @Option(
              names = "--events",
              split = ",",
              paramLabel = "EVENT",
              description = "job.ended, job.in_doubt; all if left out")
          @Nullable List<String> events,
      @Option(
              names = "--jobs",
              paramLabel = "WHICH",
              description = "all, or named: only those submitted with its name; all")
          @Nullable String jobs)
      throws InterruptedException {
    byte[] body =
        new Body()
            .text("name", name)
            .text("url", to)
            .list("events", events == null ? List.of() : events)
            .text("jobs", jobs)
            .bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      return shownOnce(api, client.move(PATH, body).good());
    }
  }

  @Command(
      name = "remove",
      mixinStandardHelpOptions = true,
      description = "Removes a webhook; nothing more is sent there.")
  int remove(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "id of the webhook") String id)
      throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      client.delete(PATH + "/" + JobText.encoded(id)).good();
      if (api.json) {
        terminal.print("{}");
      } else {
        terminal.say("removed");
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description = "Makes a new secret and prints it, this once.")
  int rotate(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "id of the webhook") String id,
      @Option(
              names = "--overlap-seconds",
              paramLabel = "N",
              description = "how long the one before still signs; 86400; 0 ends all others at once")
          @Nullable Integer overlap)
      throws InterruptedException {
    byte[] body = new Body().number("overlap_seconds", overlap).bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      return shownOnce(api, client.move(PATH + "/" + JobText.encoded(id) + "/rotate", body).good());
    }
  }

  private int shownOnce(ApiOptions api, JsonNode webhook) {
    if (api.json) {
      Output.document(terminal, webhook);
    } else {
      terminal.say("webhook " + JobText.word(webhook, "id") + "; its secret is shown only now:");
      terminal.print(JobText.word(webhook, "secret"));
    }
    return ExitCode.OK;
  }

  @Command(
      name = "deliveries",
      mixinStandardHelpOptions = true,
      description = "Shows what a webhook was told, newest first.")
  int deliveries(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "id of the webhook") String id,
      @Option(
              names = "--state",
              paramLabel = "STATE",
              description = "only waiting, delivered or failed ones")
          @Nullable String state,
      @Option(names = "--cursor", paramLabel = "CURSOR", description = "go on where a list ended")
          @Nullable String cursor)
      throws InterruptedException {
    String query = state == null ? "" : "&state=" + JobText.encoded(state);
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      JsonNode page =
          client
              .get(PATH + "/" + JobText.encoded(id) + "/deliveries?limit=50" + query + next(cursor))
              .good();
      if (api.json) {
        Output.document(terminal, page);
      } else {
        terminal.print(
            DELIVERY_ROW.formatted("ID", "TYPE", "JOB", "JOB STATE", "STATE", "TRIES", "LAST TRY"));
        page.path("deliveries")
            .valueStream()
            .map(WebhooksCommand::deliveryRow)
            .forEach(terminal::print);
        ListOptions.sayMore(terminal, page);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "resend",
      mixinStandardHelpOptions = true,
      description = "Sends an event again, under the same id.")
  int resend(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "DELIVERY", description = "id of the delivery, evt_…") String id)
      throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      JsonNode delivery =
          client
              .move(PATH + "/deliveries/" + JobText.encoded(id) + "/resend", new Body().bytes())
              .good();
      if (api.json) {
        Output.document(terminal, delivery);
      } else {
        terminal.print(deliveryRow(delivery));
      }
      return ExitCode.OK;
    }
  }

  private static String next(@Nullable String cursor) {
    return cursor == null ? "" : "&cursor=" + JobText.encoded(cursor);
  }

  private static String row(JsonNode webhook) {
    String disabled = webhook.path("disabled_at").isString() ? " (disabled)" : "";
    return ROW.formatted(
        JobText.word(webhook, "id"),
        JobText.word(webhook, "owner"),
        JobText.word(webhook, "name"),
        String.join(",", webhook.path("events").valueStream().map(JsonNode::asString).toList()),
        JobText.word(webhook, "jobs"),
        JobText.word(webhook, "url") + disabled);
  }

  private static String deliveryRow(JsonNode delivery) {
    JsonNode tries = delivery.path("tries");
    JsonNode last = tries.path(tries.size() - 1);
    return DELIVERY_ROW
        .formatted(
            JobText.word(delivery, "id"),
            JobText.word(delivery, "type"),
            JobText.word(delivery, "job_id"),
            JobText.word(delivery, "job_state"),
            JobText.word(delivery, "state"),
            last.path("number").asInt(0),
            last.path("outcome").asString("")
                + (last.path("status").isNumber() ? " " + last.path("status").asInt() : "")
                + (last.path("message").isString() ? ": " + last.path("message").asString() : ""))
        .stripTrailing();
  }
}
