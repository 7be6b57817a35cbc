package dev.onejob.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code providers}. */
@Command(
    name = "providers",
    mixinStandardHelpOptions = true,
    description =
        "Lists the providers of a node, whether they answer, and what they declare."
            + " Needs an operator key.")
final class ProvidersCommand implements Callable<Integer> {
  private static final String ROW = "%-24s %-10s %-9s %-28s %s";

  private static final String DECLARED =
      "%-24s %-13s %-16s %-14s %-14s %-13s %-10s %-12s %-8s %-6s %s";

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
        terminal.print("");
        terminal.print(
            DECLARED.formatted(
                "PROVIDER",
                "ACTS ONCE FOR",
                "REFERENCE",
                "LOOK-UP",
                "NOT FOUND",
                "CANCEL",
                "ENDS",
                "HIDDEN RUNS",
                "BILLING",
                "LIFE",
                "EVIDENCE"));
        list.path("providers")
            .valueStream()
            .map(ProvidersCommand::declared)
            .forEach(terminal::print);
      }
      return ExitCode.OK;
    }
  }

  private static String declared(JsonNode provider) {
    JsonNode declared = provider.path("capabilities");
    return DECLARED
        .formatted(
            JobText.word(provider, "name"),
            JobText.word(declared, "submit_deduplication"),
            JobText.word(declared, "reference_survival"),
            JobText.word(declared, "status_probe"),
            JobText.word(declared, "negative_answer"),
            JobText.word(declared, "cancel"),
            JobText.word(declared, "terminal_state"),
            JobText.word(declared, "hidden_reexecution"),
            JobText.word(declared, "billing_on_cancel"),
            length(declared.path("lifetime_bound_seconds")),
            length(declared.path("evidence_retention_seconds")))
        .stripTrailing();
  }

  /** A length of time, in the largest unit that leaves no remainder; empty if it is not known. */
  private static String length(JsonNode seconds) {
    if (!seconds.isNumber()) {
      return "-";
    }
    long millis = seconds.decimalValue().movePointRight(3).longValue();
    for (Unit unit : Unit.values()) {
      if (millis % unit.millis == 0) {
        return millis / unit.millis + unit.word;
      }
    }
    return millis + "ms";
  }

  private enum Unit {
    HOURS("h", 3_600_000),
    MINUTES("m", 60_000),
    SECONDS("s", 1_000);

    private final String word;
    private final long millis;

    Unit(String word, long millis) {
      this.word = word;
      this.millis = millis;
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
