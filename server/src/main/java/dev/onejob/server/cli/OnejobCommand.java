package dev.onejob.server.cli;

import dev.onejob.document.ConfigException;
import dev.onejob.providers.ProviderType;
import dev.onejob.server.database.DatabaseException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** {@code onejob}: all commands. */
@Command(
    name = "onejob",
    mixinStandardHelpOptions = true,
    description = "One job per intent: a slow, costly or side-effecting call happens once.",
    synopsisSubcommandLabel = "COMMAND")
public final class OnejobCommand {
  /** Put into the jar by the build; not there when classes run from a folder. */
  private static final String BUILD = "/META-INF/maven/dev.onejob/onejob-server/pom.properties";

  private OnejobCommand() {}

  /**
   * Runs what the arguments ask for. Where they begin with the name of a command, only that one is
   * made: it takes longer to make all than to do what most of them do.
   *
   * @param types of the providers that may be configured; only asked for by who needs them
   * @param more commands that need more of the service than this package knows, by name
   * @return the code to exit with
   */
  public static int execute(
      Terminal terminal,
      Supplier<List<ProviderType>> types,
      Map<String, Supplier<Callable<Integer>>> more,
      String... arguments) {
    Map<String, Supplier<?>> commands = new LinkedHashMap<>(more);
    commands.putAll(commands(terminal, types));
    if (arguments.length > 0 && commands.containsKey(arguments[0])) {
      commands.keySet().retainAll(Set.of(arguments[0]));
    }
    CommandLine line = new CommandLine(new OnejobCommand());
    commands.values().forEach(command -> line.addSubcommand(command.get()));
    everywhere(line);
    return line.setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(terminal.out(), true))
        .setErr(new PrintWriter(terminal.err(), true))
        .setExecutionExceptionHandler((thrown, command, parsed) -> failed(terminal, thrown, parsed))
        .execute(arguments);
  }

  /** By the name that each of them carries, in the order of the help. */
  static Map<String, Supplier<?>> commands(Terminal terminal, Supplier<List<ProviderType>> types) {
    Map<String, Supplier<?>> commands = new LinkedHashMap<>();
    commands.put("submit", () -> new SubmitCommand(terminal));
    commands.put("watch", () -> new WatchCommand(terminal));
    commands.put("job", () -> new JobCommand(terminal));
    commands.put("jobs", () -> new JobsCommand(terminal));
    commands.put("fallback", () -> new FallbackCommand(terminal));
    commands.put("cancel", () -> new CancelCommand(terminal));
    commands.put("doubt", () -> new DoubtCommand(terminal));
    commands.put("resolve", () -> new ResolveCommand(terminal));
    commands.put("acknowledge", () -> new AcknowledgeCommand(terminal));
    commands.put("reopen", () -> new ReopenCommand(terminal));
    commands.put("passes", () -> new PassesCommand(terminal));
    commands.put("providers", () -> new ProvidersCommand(terminal));
    commands.put("keys", () -> new KeysCommand(terminal));
    commands.put("webhooks", () -> new WebhooksCommand(terminal));
    commands.put("qualify", () -> new QualifyCommand(terminal));
    commands.put("qualification", () -> new QualificationCommand(terminal));
    commands.put("config", () -> new ConfigCommand(terminal, types));
    commands.put("contract", () -> new ContractCommand(terminal));
    return commands;
  }

  /** Every command explains itself and its exit codes. */
  private static void everywhere(CommandLine line) {
    Map<String, String> codes =
        Stream.of(ExitCode.TABLE)
            .map(row -> row.split(":", 2))
            .collect(
                Collectors.toMap(row -> row[0], row -> row[1], (a, b) -> a, LinkedHashMap::new));
    line.getCommandSpec().version("onejob " + version());
    line.getCommandSpec().usageMessage().exitCodeList(codes).exitCodeListHeading("%nExit codes:%n");
    line.getSubcommands().values().forEach(OnejobCommand::everywhere);
  }

  private static String version() {
    try (InputStream in = OnejobCommand.class.getResourceAsStream(BUILD)) {
      Properties build = new Properties();
      if (in != null) {
        build.load(in);
      }
      return build.getProperty("version", "in development");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int failed(Terminal terminal, Exception thrown, ParseResult parsed) {
    return switch (thrown) {
      case CliFailure failure -> failed(terminal, failure, parsed);
      case ConfigException wrong -> {
        wrong.problems().forEach(problem -> terminal.say(problem.toString()));
        yield ExitCode.BROKEN;
      }
      case DatabaseException unusable -> {
        terminal.say(String.valueOf(unusable.getMessage()));
        yield ExitCode.BROKEN;
      }
      case InterruptedException interrupted -> {
        Thread.currentThread().interrupt();
        terminal.say("interrupted");
        yield ExitCode.BROKEN;
      }
      default -> {
        terminal.say("broken: " + thrown);
        thrown.printStackTrace(terminal.err());
        yield ExitCode.BROKEN;
      }
    };
  }

  private static int failed(Terminal terminal, CliFailure failure, @Nullable ParseResult parsed) {
    terminal.say(String.valueOf(failure.getMessage()));
    if (parsed != null && wantsJson(parsed)) {
      Output.document(terminal, failure.document());
    }
    return failure.exitCode();
  }

  private static boolean wantsJson(ParseResult parsed) {
    return parsed.asCommandLineList().stream()
        .anyMatch(line -> line.getParseResult().hasMatchedOption("--json"));
  }
}
