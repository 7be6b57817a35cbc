package dev.onejob.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code watch}. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = "Follows a job until it has ended. The result goes to stdout.")
final class WatchCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "JOB", description = "id of the job")
  String job = "";

  WatchCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      JsonNode ended = new Following(client, terminal).untilEnd(job, null);
      return Output.followed(terminal, api, ended);
    }
  }
}
