package dev.onejob.server.cli;

import dev.onejob.document.ConfigException;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.server.config.ConfiguredProviders;
import dev.onejob.server.config.Settings;
import dev.onejob.server.config.SettingsLoader;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code config}. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = "Checks or shows configurations.",
    synopsisSubcommandLabel = "COMMAND")
final class ConfigCommand {
  private final Terminal terminal;
  private final Supplier<List<ProviderType>> types;

  ConfigCommand(Terminal terminal, Supplier<List<ProviderType>> types) {
    this.terminal = terminal;
    this.types = types;
  }

  @Command(
      name = "show-default",
      mixinStandardHelpOptions = true,
      description = "Prints the built-in configuration.")
  int showDefault() {
    terminal.out().print(SettingsLoader.builtInText());
    terminal.out().flush();
    return ExitCode.OK;
  }

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = "Says whether a service would start with a configuration, or what is wrong.")
  int check(
      @Parameters(
              arity = "0..1",
              paramLabel = "FILE",
              description = "the configuration; the built-in one if left out")
          @Nullable Path file,
      @Option(names = "--json", description = "one JSON document on stdout") boolean json) {
    try {
      SettingsLoader loader =
          new SettingsLoader(types.get(), terminal.environment(), terminal.folder());
      Settings settings = file == null ? loader.builtIn() : loader.load(file);
      makeProviders(settings);
      return good(settings, json);
    } catch (ConfigException e) {
      return bad(e, json);
    }
  }

  /** Missing variables and files only show when providers are made. Nothing is called. */
  private void makeProviders(Settings settings) {
    ProviderContext context =
        new ProviderContext(
            terminal.environment(), settings.baseFolder(), () -> URI.create("http://127.0.0.1"));
    ConfiguredProviders.make(settings, types.get(), context).close();
  }

  private int good(Settings settings, boolean json) {
    if (json) {
      ObjectNode document = JsonMapper.shared().createObjectNode();
      document.put("ok", true).put("file", settings.origin());
      ArrayNode kinds = document.putArray("kinds");
      settings.kinds().forEach(kind -> kinds.add(kind.name()));
      ArrayNode providers = document.putArray("providers");
      settings.providers().forEach(provider -> providers.add(provider.name()));
      Output.document(terminal, document);
    } else {
      terminal.print(settings.origin() + ": OK");
      settings
          .kinds()
          .forEach(
              kind ->
                  terminal.print(
                      "  kind "
                          + kind.name()
                          + " ("
                          + kind.effect().word()
                          + "): "
                          + String.join(", then ", kind.route())));
      terminal.print(
          "  providers: "
              + settings.providers().stream()
                  .map(provider -> provider.name() + " (" + provider.type() + ")")
                  .collect(Collectors.joining(", ")));
      terminal.print("  database: " + settings.database());
    }
    return ExitCode.OK;
  }

  private int bad(ConfigException e, boolean json) {
    if (json) {
      ObjectNode document = JsonMapper.shared().createObjectNode();
      document.put("ok", false);
      ArrayNode problems = document.putArray("problems");
      e.problems()
          .forEach(
              problem ->
                  problems
                      .addObject()
                      .put("file", problem.file())
                      .put("line", problem.line())
                      .put("message", problem.message()));
      Output.document(terminal, document);
    } else {
      e.problems().forEach(problem -> terminal.say(problem.toString()));
    }
    return ExitCode.BROKEN;
  }
}
