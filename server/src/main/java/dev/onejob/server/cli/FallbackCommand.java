package dev.onejob.server.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code fallback}: the button. */
@Command(
    name = "fallback",
    mixinStandardHelpOptions = true,
    description = "Starts a fresh attempt of a job, if nothing stands against it.")
final class FallbackCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "JOB", description = "id of the job")
  String job = "";

  @Option(
      names = "--provider",
      paramLabel = "PROVIDER",
      description = "on the job's route; the next that was not tried if left out")
  @Nullable String provider;

  FallbackCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    byte[] body = new Body().text("provider", provider).bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      JsonNode started = client.move(JobText.path(job) + "/attempts", body).good();
      if (api.json) {
        Output.document(terminal, started);
      } else {
        JsonNode attempt = started.path("attempt");
        terminal.print(JobText.word(attempt, "id") + " " + JobText.attempt(attempt));
      }
      return ExitCode.OK;
    }
  }
}
