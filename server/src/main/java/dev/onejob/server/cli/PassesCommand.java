package dev.onejob.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code passes}: which provider has proved that it keeps the contract of which kind. */
@Command(
    name = "passes",
    mixinStandardHelpOptions = true,
    description = "Lists and withdraws qualifications. Needs an operator key.",
    synopsisSubcommandLabel = "COMMAND")
final class PassesCommand {
  private static final String ROW = "%-6s %-20s %-20s %-28s %-28s %s";
  private static final String PATH = "/v1/qualifications";

  private final Terminal terminal;

  PassesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists them with their history, newest first.")
  int list(
      @Mixin ApiOptions api,
      @Mixin ListOptions list,
      @Option(names = "--provider", paramLabel = "PROVIDER", description = "only of this provider")
          @Nullable String provider)
      throws InterruptedException {
    Map<String, @Nullable String> besides = new LinkedHashMap<>();
    besides.put("provider", provider);
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode page = client.get(PATH + list.query(besides)).good();
      show(api, page);
      return ExitCode.OK;
    }
  }

  @Command(
      name = "withdraw",
      mixinStandardHelpOptions = true,
      description = "From now on no job of the kind goes to the provider by itself.")
  int withdraw(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "KIND", description = "name of the kind") String kind,
      @Parameters(paramLabel = "PROVIDER", description = "name of the provider") String provider,
      @Option(
              names = "--reason",
              required = true,
              paramLabel = "TEXT",
              description = "kept with it")
          String reason)
      throws InterruptedException {
    byte[] body =
        new Body().text("kind", kind).text("provider", provider).text("reason", reason).bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      show(api, client.move(PATH + "/withdraw", body).good());
      return ExitCode.OK;
    }
  }

  private void show(ApiOptions api, JsonNode page) {
    if (api.json) {
      Output.document(terminal, page);
      return;
    }
    terminal.print(ROW.formatted("ID", "KIND", "PROVIDER", "PASSED", "VALID UNTIL", "WITHDRAWN"));
    page.path("qualifications").valueStream().map(PassesCommand::row).forEach(terminal::print);
    ListOptions.sayMore(terminal, page);
  }

  private static String row(JsonNode pass) {
    JsonNode withdrawal = pass.path("withdrawal");
    String withdrawn =
        withdrawal.isObject()
            ? JobText.word(withdrawal, "at")
                + " by "
                + JobText.word(withdrawal, "by")
                + ": "
                + JobText.word(withdrawal, "reason")
            : "";
    return ROW.formatted(
            pass.path("id").asLong(),
            JobText.word(pass, "kind"),
            JobText.word(pass, "provider"),
            JobText.word(pass, "passed_at"),
            JobText.word(pass, "valid_until"),
            withdrawn)
        .stripTrailing();
  }
}
