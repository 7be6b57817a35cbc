package dev.onejob.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cancel}. */
@Command(
    name = "cancel",
    mixinStandardHelpOptions = true,
    description = "Asks for a cancel: nothing new starts. What lives is told to stop.")
final class CancelCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "JOB", description = "id of the job")
  String job = "";

  CancelCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      byte[] body = new Body().bytes();
      return Output.moved(terminal, api, client.move(JobText.path(job) + "/cancel", body).good());
    }
  }
}
