package dev.onejob.server;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.cli.OnejobCommand;
import dev.onejob.server.cli.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Where a process begins. */
public final class Main {
  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] args) {
    Terminal terminal =
        new Terminal(
            System.in,
            new PrintStream(System.out, true, StandardCharsets.UTF_8),
            new PrintStream(System.err, true, StandardCharsets.UTF_8),
            System::getenv,
            Path.of("").toAbsolutePath(),
            Thread::sleep);
    ServeCommand serve = new ServeCommand(terminal, ProviderTypes.ALL);
    System.exit(
        OnejobCommand.build(terminal, ProviderTypes.ALL, Map.of("serve", serve)).execute(args));
  }
}
