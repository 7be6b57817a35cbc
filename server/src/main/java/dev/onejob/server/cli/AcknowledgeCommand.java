package dev.onejob.server.cli;

import dev.onejob.domain.Then;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code acknowledge}. */
@Command(
    name = "acknowledge",
    mixinStandardHelpOptions = true,
    description = "Says that a contested job has been looked at. Needs an operator key.")
final class AcknowledgeCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "JOB", description = "id of the job")
  String job = "";

  @Option(names = "--then", paramLabel = "THEN", description = "how it goes on: retry or wait")
  @Nullable Then then;

  @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "kept with it")
  String reason = "";

  AcknowledgeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    byte[] body =
        new Body().text("then", then == null ? null : then.word()).text("reason", reason).bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      String path = JobText.path(job) + "/acknowledgement";
      return Output.moved(terminal, api, client.move(path, body).good());
    }
  }
}
