package dev.onejob.server;

import dev.onejob.providers.ProviderType;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.cli.OnejobCommand;
import dev.onejob.server.cli.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Where a process begins. */
public final class Main {
  private static final String SERVE = "serve";

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
    Supplier<List<ProviderType>> types = () -> ProviderTypes.ALL;
    if (args.length > 0 && args[0].equals(SERVE)) {
      types = CompletableFuture.supplyAsync(types)::join; // beside the reading of the command line
    }
    System.exit(
        OnejobCommand.execute(terminal, types, Map.of(SERVE, serve(terminal, types)), args));
  }

  private static Supplier<Callable<Integer>> serve(
      Terminal terminal, Supplier<List<ProviderType>> types) {
    return () -> new ServeCommand(terminal, types);
  }
}
