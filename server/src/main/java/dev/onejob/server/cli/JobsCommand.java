package dev.onejob.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code jobs}. */
@Command(name = "jobs", mixinStandardHelpOptions = true, description = "Lists jobs, newest first.")
final class JobsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "queued, running, unknown, succeeded, failed or cancelled")
  @Nullable String state;

  @Option(names = "--kind", paramLabel = "KIND", description = "only this kind")
  @Nullable String kind;

  @Option(names = "--tag", paramLabel = "TAG", description = "only with this tag")
  @Nullable String tag;

  @Option(names = "--limit", paramLabel = "N", description = "at most so many, up to 200")
  @Nullable Integer limit;

  @Option(names = "--cursor", paramLabel = "CURSOR", description = "go on where a list ended")
  @Nullable String cursor;

  JobsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      JsonNode page = client.get("/v1/jobs" + query()).good();
      if (api.json) {
        Output.document(terminal, page);
      } else {
        show(page);
      }
      return ExitCode.OK;
    }
  }

  private void show(JsonNode page) {
    terminal.print(JobText.header());
    page.path("jobs").valueStream().map(JobText::row).forEach(terminal::print);
    if (page.path("next_cursor").isString()) {
      terminal.say("more: --cursor " + JobText.word(page, "next_cursor"));
    }
  }

  private String query() {
    Map<String, String> wanted = new LinkedHashMap<>();
    put(wanted, "state", state);
    put(wanted, "kind", kind);
    put(wanted, "tag", tag);
    put(wanted, "limit", limit == null ? null : limit.toString());
    put(wanted, "cursor", cursor);
    return wanted.entrySet().stream()
        .map(each -> each.getKey() + "=" + JobText.encoded(each.getValue()))
        .collect(Collectors.joining("&", wanted.isEmpty() ? "" : "?", ""));
  }

  private static void put(Map<String, String> wanted, String name, @Nullable String value) {
    if (value != null) {
      wanted.put(name, value);
    }
  }
}
