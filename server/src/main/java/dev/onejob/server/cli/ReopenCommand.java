package dev.onejob.server.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reopen}. */
@Command(
    name = "reopen",
    mixinStandardHelpOptions = true,
    description = "Lets a failed job go on, under the same key and id.")
final class ReopenCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "JOB", description = "id of the job")
  String job = "";

  @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "kept with it")
  String reason = "";

  @Option(
      names = "--attempts",
      paramLabel = "N",
      description = "how many more may be made, 1 to 100; 1 if left out")
  @Nullable Integer attempts;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      description = "nothing new starts after it: 90s, 2h, or 2030-01-31T12:00:00Z")
  @Nullable String deadline;

  ReopenCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    byte[] body =
        new Body()
            .text("reason", reason)
            .number("attempts", attempts)
            .raw("deadline", deadline == null ? null : SubmitCommand.deadline(deadline))
            .bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.CLIENT)) {
      return Output.moved(terminal, api, client.move(JobText.path(job) + "/reopen", body).good());
    }
  }
}
