package dev.onejob.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code keys}: who may. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description = "Lists, makes and withdraws API keys. Needs an operator key.",
    synopsisSubcommandLabel = "COMMAND")
final class KeysCommand {
  private static final String ROW = "%-38s %-20s %-10s %-20s %s";
  private static final String PATH = "/v1/keys";

  private final Terminal terminal;

  KeysCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the keys; nobody can see their secrets again.")
  int list(@Mixin ApiOptions api) throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode keys = client.get(PATH).good();
      if (api.json) {
        Output.document(terminal, keys);
      } else {
        terminal.print(ROW.formatted("ID", "NAME", "ROLE", "OWNER", "WITHDRAWN"));
        keys.path("keys").valueStream().map(KeysCommand::row).forEach(terminal::print);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Makes a key and prints its secret, this once.")
  int create(
      @Mixin ApiOptions api,
      @Option(names = "--name", required = true, paramLabel = "NAME", description = "for people")
          String name,
      @Option(
              names = "--role",
              required = true,
              paramLabel = "ROLE",
              description = "client, worker or operator")
          String role,
      @Option(names = "--owner", paramLabel = "OWNER", description = "whose jobs it reaches")
          @Nullable String owner)
      throws InterruptedException {
    byte[] body = new Body().text("name", name).text("role", role).text("owner", owner).bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode made = client.move(PATH, body).good();
      if (api.json) {
        Output.document(terminal, made);
      } else {
        terminal.say("key " + JobText.word(made, "id") + "; its secret is shown only now:");
        terminal.print(JobText.word(made, "secret"));
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "withdraw",
      mixinStandardHelpOptions = true,
      description = "Withdraws a key; it opens nothing from now on.")
  int withdraw(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "ID", description = "id of the key") String id)
      throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      Reply reply = client.delete(PATH + "/" + JobText.encoded(id));
      reply.good();
      if (api.json) {
        terminal.print("{}");
      } else {
        terminal.say("withdrawn");
      }
      return ExitCode.OK;
    }
  }

  private static String row(JsonNode key) {
    return ROW.formatted(
        JobText.word(key, "id"),
        JobText.word(key, "name"),
        JobText.word(key, "role"),
        JobText.word(key, "owner"),
        JobText.word(key, "withdrawn_at"));
  }
}
