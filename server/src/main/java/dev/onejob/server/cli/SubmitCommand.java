package dev.onejob.server.cli;

import dev.onejob.domain.IntentKey;
import dev.onejob.server.config.DurationText;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code submit}: one intent, under one key that is made once and told before the first try. */
@Command(
    name = "submit",
    mixinStandardHelpOptions = true,
    description = "Submits a job and waits for its end. The result goes to stdout.")
final class SubmitCommand implements Callable<Integer> {
  private static final int KEY_BYTES = 16;

  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Option(names = "--kind", required = true, paramLabel = "KIND", description = "of the job")
  String kind = "";

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description = "JSON, @file, or - for stdin; {} if left out")
  String input = "{}";

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "idempotency key of the intent; a new one is made if left out")
  @Nullable String key;

  @Option(
      names = "--route",
      split = ",",
      paramLabel = "PROVIDER",
      description = "providers to use, in this order; part of the intent")
  List<String> route = List.of();

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      description = "nothing new starts after it: 90s, 2h, or 2030-01-31T12:00:00Z")
  @Nullable String deadline;

  @Option(names = "--priority", paramLabel = "N", description = "-100 to 100, more is sooner")
  @Nullable Integer priority;

  @Option(names = "--tag", paramLabel = "TAG", description = "to find the job again; repeatable")
  List<String> tags = List.of();

  @Option(
      names = "--webhook",
      paramLabel = "NAME",
      description = "a webhook of the owner that hears of named jobs")
  @Nullable String webhook;

  @Option(names = "--no-wait", description = "return when the job is admitted")
  boolean noWait;

  @Option(
      names = "--wait-at-most",
      paramLabel = "TIME",
      description = "return after this time, whatever the job's state")
  @Nullable String waitAtMost;

  SubmitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    Duration limit = waitAtMost == null ? null : duration("--wait-at-most", waitAtMost);
    byte[] body = body();
    IntentKey intent = intentKey();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      terminal.say("key " + intent);
      JsonNode admitted = client.submit(intent, body).good();
      if (noWait) {
        return admitted(admitted);
      }
      JsonNode job = new Following(client, terminal).untilEnd(JobText.word(admitted, "id"), limit);
      return Output.followed(terminal, api, job);
    }
  }

  private int admitted(JsonNode job) {
    if (api.json) {
      Output.document(terminal, job);
    } else {
      terminal.print(JobText.word(job, "id"));
    }
    return ExitCode.OK;
  }

  private IntentKey intentKey() {
    try {
      return new IntentKey(key == null ? made() : key);
    } catch (IllegalArgumentException e) {
      throw CliFailure.usage("--key: " + e.getMessage());
    }
  }

  private static String made() {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    return "cli-" + HexFormat.of().formatHex(random);
  }

  private byte[] body() {
    return new Body()
        .text("kind", kind)
        .raw("input", JsonArgument.read("--input", input, terminal))
        .list("route", route)
        .raw("deadline", deadline == null ? null : deadline(deadline))
        .number("priority", priority)
        .list("tags", tags)
        .text("webhook", webhook)
        .bytes();
  }

  /** A time goes as it is; a duration as whole seconds, never fewer than were meant. */
  static String deadline(String text) {
    try {
      return "\"" + Instant.parse(text) + "\"";
    } catch (DateTimeParseException e) {
      return Long.toString(duration("--deadline", text).plusMillis(999).toSeconds());
    }
  }

  private static Duration duration(String option, String text) {
    return DurationText.parse(text)
        .orElseThrow(
            () ->
                CliFailure.usage(
                    option + ": expected a duration such as 90s or 2h, got \"" + text + "\""));
  }
}
