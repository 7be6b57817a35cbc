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
import java.util.concurrent.Callable;
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
   * Builds the command line.
   *
   * @param types of the providers that may be configured
   * @param more commands that need more of the service than this package knows, by name
   */
  public static CommandLine build(
      Terminal terminal, List<ProviderType> types, Map<String, ? extends Callable<Integer>> more) {
    CommandLine line = new CommandLine(new OnejobCommand());
    more.forEach(line::addSubcommand);
    line.addSubcommand(new SubmitCommand(terminal))
        .addSubcommand(new WatchCommand(terminal))
        .addSubcommand(new JobCommand(terminal))
        .addSubcommand(new JobsCommand(terminal))
        .addSubcommand(new FallbackCommand(terminal))
        .addSubcommand(new CancelCommand(terminal))
        .addSubcommand(new DoubtCommand(terminal))
        .addSubcommand(new ResolveCommand(terminal))
        .addSubcommand(new AcknowledgeCommand(terminal))
        .addSubcommand(new ReopenCommand(terminal))
        .addSubcommand(new PassesCommand(terminal))
        .addSubcommand(new ProvidersCommand(terminal))
        .addSubcommand(new KeysCommand(terminal))
        .addSubcommand(new WebhooksCommand(terminal))
        .addSubcommand(new QualifyCommand(terminal))
        .addSubcommand(new QualificationCommand(terminal))
        .addSubcommand(new ConfigCommand(terminal, types))
        .addSubcommand(new ContractCommand(terminal));
    everywhere(line);
    return line.setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(terminal.out(), true))
        .setErr(new PrintWriter(terminal.err(), true))
        .setExecutionExceptionHandler(
            (thrown, command, parsed) -> failed(terminal, thrown, parsed));
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
