package dev.onejob.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** {@code doubt}. */
@Command(
    name = "doubt",
    mixinStandardHelpOptions = true,
    description =
        "Lists what waits for a person, oldest first: attempts in doubt, contested jobs, jobs that"
            + " wait for a decision. Needs an operator key.")
final class DoubtCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Mixin ListOptions list = new ListOptions();

  @Option(names = "--owner", paramLabel = "OWNER", description = "only of this owner")
  @Nullable String owner;

  @Option(names = "--provider", paramLabel = "PROVIDER", description = "only at this provider")
  @Nullable String provider;

  DoubtCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode page = client.get("/v1/desk" + query()).good();
      if (api.json) {
        Output.document(terminal, page);
      } else {
        show(page);
      }
      return ExitCode.OK;
    }
  }

  private void show(JsonNode page) {
    if (page.path("items").isEmpty()) {
      terminal.say("nothing waits for a person");
    }
    page.path("items").valueStream().map(DeskText::item).forEach(terminal::print);
    ListOptions.sayMore(terminal, page);
  }

  private String query() {
    Map<String, @Nullable String> besides = new LinkedHashMap<>();
    besides.put("owner", owner);
    besides.put("provider", provider);
    return list.query(besides);
  }
}
