package dev.onejob.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code providers}. */
@Command(
    name = "providers",
    mixinStandardHelpOptions = true,
    description = "Lists the providers of a node and whether they answer. Needs an operator key.")
final class ProvidersCommand implements Callable<Integer> {
  private static final String ROW = "%-24s %-10s %-9s %-28s %s";

  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  ProvidersCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode list = client.get("/v1/providers").good();
      if (api.json) {
        Output.document(terminal, list);
      } else {
        terminal.print(ROW.formatted("PROVIDER", "CIRCUIT", "FAILURES", "OPEN UNTIL", "LAST"));
        list.path("providers").valueStream().map(ProvidersCommand::row).forEach(terminal::print);
      }
      return ExitCode.OK;
    }
  }

  private static String row(JsonNode provider) {
    return ROW.formatted(
            JobText.word(provider, "name"),
            JobText.word(provider, "circuit"),
            provider.path("failures").asLong(0),
            JobText.word(provider, "open_until"),
            JobText.word(provider.path("failure"), "code"))
        .stripTrailing();
  }
}
