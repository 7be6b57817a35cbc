package dev.onejob.server.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code qualification}: runs and their evidence. */
@Command(
    name = "qualification",
    mixinStandardHelpOptions = true,
    description = "Lists, shows and stops runs of qualifications. Needs an operator key.",
    synopsisSubcommandLabel = "COMMAND")
final class QualificationCommand {
  static final String RUNS = "/v1/qualification-runs";

  private final Terminal terminal;

  QualificationCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists runs, newest first.")
  int list(
      @Mixin ApiOptions api,
      @Option(names = "--kind", paramLabel = "KIND", description = "only of this kind")
          @Nullable String kind)
      throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      String query = kind == null ? "" : "?kind=" + JobText.encoded(kind);
      JsonNode page = client.get(RUNS + query).good();
      if (api.json) {
        Output.document(terminal, page);
      } else {
        page.path("runs").forEach(run -> terminal.print(QualificationText.row(run)));
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "What was asked, what came, and which check judged how.")
  int show(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "RUN", description = "id of the run") String run,
      @Option(names = "--faults", description = "the judgements alone, without the answers")
          boolean faults)
      throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode read = client.get(RUNS + "/" + JobText.encoded(run)).good();
      if (api.json) {
        Output.document(terminal, read);
        return ExitCode.OK;
      }
      QualificationText.report(read).forEach(terminal::print);
      if (!faults) {
        QualificationText.transcript(read).forEach(terminal::print);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "stop",
      mixinStandardHelpOptions = true,
      description = "Asks nothing more; qualify carries the run on.")
  int stop(
      @Mixin ApiOptions api,
      @Parameters(paramLabel = "RUN", description = "id of the run") String run)
      throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      JsonNode now = client.move(RUNS + "/" + JobText.encoded(run) + "/stop", new byte[0]).good();
      if (api.json) {
        Output.document(terminal, now);
      } else {
        terminal.print(QualificationText.row(now));
      }
      return ExitCode.OK;
    }
  }
}
