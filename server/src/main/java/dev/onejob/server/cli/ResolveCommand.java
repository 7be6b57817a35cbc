package dev.onejob.server.cli;

import dev.onejob.domain.Then;
import dev.onejob.domain.Verdict;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code resolve}. */
@Command(
    name = "resolve",
    mixinStandardHelpOptions = true,
    description = "Ends the doubt about an attempt. Needs an operator key.")
final class ResolveCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin ApiOptions api = new ApiOptions();

  @Parameters(paramLabel = "ATTEMPT", description = "id of the attempt")
  String attempt = "";

  @Option(
      names = "--verdict",
      required = true,
      paramLabel = "VERDICT",
      description = "not_done, done, still_running or abandon")
  Verdict verdict = Verdict.NOT_DONE;

  @Option(
      names = "--then",
      paramLabel = "THEN",
      description = "retry or wait; as the verdict has it if left out")
  @Nullable Then then;

  @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "kept with it")
  String reason = "";

  @Option(
      names = "--result",
      paramLabel = "JSON",
      description = "with done: JSON, @file, or - for stdin")
  @Nullable String result;

  ResolveCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    byte[] body =
        new Body()
            .text("verdict", verdict.word())
            .raw("result", result == null ? null : JsonArgument.read("--result", result, terminal))
            .text("then", then == null ? null : then.word())
            .text("reason", reason)
            .bytes();
    try (ApiClient client = api.client(terminal, ApiOptions.Role.OPERATOR)) {
      String path = "/v1/attempts/" + JobText.encoded(attempt) + "/resolution";
      return Output.moved(terminal, api, client.move(path, body).good());
    }
  }
}
