package dev.onejob.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.providers.ProviderTypes;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OnejobCommandTest {
  @TempDir Path folder;

  private Map<String, Supplier<?>> commands() {
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintStream(PrintStream.nullOutputStream()),
            new PrintStream(PrintStream.nullOutputStream()),
            name -> null,
            folder,
            pause -> {});
    return OnejobCommand.commands(terminal, () -> ProviderTypes.ALL);
  }

  @Test
  void every_command_is_found_by_the_name_that_it_carries() {
    assertThat(commands())
        .isNotEmpty()
        .allSatisfy(
            (name, command) ->
                assertThat(new CommandLine(command.get()).getCommandName()).isEqualTo(name));
  }

  @Test
  void the_help_lists_all_commands() {
    Set<String> names = commands().keySet();

    CommandRun run = CommandRun.in(folder, "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(names).allSatisfy(name -> assertThat(run.out()).contains("\n  " + name + " "));
  }

  @Test
  void the_help_of_one_command_names_the_whole_of_what_to_type() {
    CommandRun run = CommandRun.in(folder, "keys", "create", "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("Usage: onejob keys create ").contains("Exit codes:");
  }

  @Test
  void a_name_that_is_none_is_answered_with_those_that_it_may_have_meant() {
    CommandRun run = CommandRun.in(folder, "submti");

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("Did you mean").contains("submit");
  }
}
