package dev.onejob.server.cli;

import dev.onejob.providers.ProviderTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One run of the command line, with what it printed and how it ended. */
record CommandRun(int exitCode, String out, String err, List<Duration> pauses) {
  static CommandRun in(Path folder, String... arguments) {
    return with(folder, "", Map.of("ONEJOB_API_KEY", "secret"), arguments);
  }

  static CommandRun with(
      Path folder, String stdin, Map<String, String> environment, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    List<Duration> pauses = new ArrayList<>();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment::get,
            folder,
            pauses::add);
    int exitCode = OnejobCommand.execute(terminal, () -> ProviderTypes.ALL, Map.of(), arguments);
    return new CommandRun(
        exitCode,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8),
        pauses);
  }
}
