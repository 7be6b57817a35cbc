package dev.onejob.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
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

  @Mixin ListOptions list = new ListOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "queued, running, unknown, succeeded, failed or cancelled")
  @Nullable String state;

  @Option(names = "--tag", paramLabel = "TAG", description = "only with this tag")
  @Nullable String tag;

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
    ListOptions.sayMore(terminal, page);
  }

  private String query() {
    Map<String, @Nullable String> besides = new LinkedHashMap<>();
    besides.put("state", state);
    besides.put("tag", tag);
    return list.query(besides);
  }
}
