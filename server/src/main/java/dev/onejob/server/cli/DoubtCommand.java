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

  @Option(names = "--owner", paramLabel = "OWNER", description = "only of this owner")
  @Nullable String owner;

  @Option(names = "--kind", paramLabel = "KIND", description = "only this kind")
  @Nullable String kind;

  @Option(names = "--provider", paramLabel = "PROVIDER", description = "only at this provider")
  @Nullable String provider;

  @Option(names = "--limit", paramLabel = "N", description = "at most so many, up to 200")
  @Nullable Integer limit;

  @Option(names = "--cursor", paramLabel = "CURSOR", description = "go on where a list ended")
  @Nullable String cursor;

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
    if (page.path("next_cursor").isString()) {
      terminal.say("more: --cursor " + JobText.word(page, "next_cursor"));
    }
  }

  private String query() {
    Map<String, String> wanted = new LinkedHashMap<>();
    put(wanted, "owner", owner);
    put(wanted, "kind", kind);
    put(wanted, "provider", provider);
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
