package dev.onejob.server;

import dev.onejob.providers.ProviderType;
import dev.onejob.server.access.FirstKeys;
import dev.onejob.server.cli.ExitCode;
import dev.onejob.server.cli.Terminal;
import dev.onejob.server.config.ObservationSettings.LogFormat;
import dev.onejob.server.config.ObservationSettings.LogLevel;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.Settings;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.server.observation.LogForm;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code serve}: a node, until it is told to stop. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Runs a node until it is told to stop.")
final class ServeCommand implements Callable<Integer> {
  private static final int PORT_MAX = 65_535;

  private final Terminal terminal;
  private final Supplier<List<ProviderType>> types;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "the configuration; the built-in one with its sandbox if left out")
  @Nullable Path config;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = "postgres://user:password@host:5432/name or a JDBC address; else embedded")
  @Nullable String database;

  @Option(names = "--host", paramLabel = "HOST", description = "address to listen on; 127.0.0.1")
  @Nullable String host;

  @Option(names = "--port", paramLabel = "PORT", description = "8080; 0 for any that is free")
  @Nullable Integer port;

  @Option(names = "--data", paramLabel = "DIR", description = "data folder; .onejob here")
  @Nullable Path data;

  @Option(names = "--node", paramLabel = "NAME", description = "of this node; the machine's name")
  @Nullable String node;

  @Option(names = "--log-format", paramLabel = "FORM", description = "text or json; text")
  @Nullable LogFormat logFormat;

  @Option(names = "--log-level", paramLabel = "LEVEL", description = "error, warn, info or debug")
  @Nullable LogLevel logLevel;

  ServeCommand(Terminal terminal, Supplier<List<ProviderType>> types) {
    this.terminal = terminal;
    this.types = types;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (port != null && (port < 0 || port > PORT_MAX)) {
      terminal.err().println("--port: expected 0 to " + PORT_MAX + ", got " + port);
      return ExitCode.USAGE;
    }
    try {
      Settings settings = settings();
      LogForm.apply(settings.observation());
      Service service = Service.start(settings, types.get(), terminal.environment());
      Runtime.getRuntime().addShutdownHook(new Thread(service::close, "close"));
      service.firstKeys().ifPresent(this::tell);
      terminal.out().println("onejob is ready at " + service.uri());
    } catch (StartFailure e) {
      terminal.err().println(e.getMessage());
      return ExitCode.BROKEN;
    }
    new CountDownLatch(1).await(); // a signal ends the process; the hook closes the service
    return ExitCode.OK;
  }

  private Settings settings() {
    SettingsLoader loader =
        new SettingsLoader(types.get(), terminal.environment(), terminal.folder());
    Settings settings = config == null ? loader.builtIn() : loader.load(config);
    Path folder = data == null ? null : terminal.folder().resolve(data);
    return settings
        .with(new Overrides(database, host, port, folder, node))
        .with(settings.observation().with(logFormat, logLevel));
  }

  private void tell(Service.KeptKeys kept) {
    FirstKeys keys = kept.keys();
    terminal.out().println("made the first API keys, shown only now and kept in " + kept.file());
    terminal.out().println("  operator  " + keys.operator());
    terminal.out().println("  client    " + keys.client());
  }
}
