package dev.onejob.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code job}. */
@Command(
    name = "job",
    mixinStandardHelpOptions = true,
    description = "Shows a job as it is now, with its attempts and what they have cost.")
final class JobCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "JOB", description = "id of the job")
  String job = "";

  JobCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      JsonNode found = client.get(JobText.path(job)).good();
      if (api.json) {
        Output.document(terminal, found);
      } else {
        terminal.print(JobText.progress(found));
      }
      return ExitCode.OK;
    }
  }
}
