package dev.onejob.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ContractCommandTest {
  private static final String GOOD =
      """
      contract: words
      version: 2
      answer: text
      rules:
        - {name: short, rule: words(output) < 50, message: fewer than 50 words}
      """;
  private static final String BAD =
      """
      contract: words
      version: 2
      answer: text
      rules:
        - {name: short, rule: word(output) < 50, message: fewer than 50 words}
      """;

  @TempDir Path folder;

  @Test
  void lint_says_of_each_file_whether_it_can_be_used_and_where_it_is_wrong() throws IOException {
    Files.writeString(folder.resolve("good.yaml"), GOOD);
    Files.writeString(folder.resolve("bad.yaml"), BAD);

    CommandRun run = CommandRun.in(folder, "contract", "lint", "good.yaml", "bad.yaml", "no.yaml");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BROKEN);
    assertThat(run.out()).matches("good.yaml: OK, words/2, 1 rules, 0 samples, [0-9a-f]{64}\n");
    assertThat(run.err().lines())
        .satisfiesExactly(
            bad ->
                assertThat(bad)
                    .startsWith("bad.yaml:5: rules.0.rule: line 1, column 5 of the rule: ")
                    .contains("word"),
            no -> assertThat(no).isEqualTo("no.yaml: there is no such file"));
  }

  @Test
  void lint_says_the_same_as_json() throws IOException {
    Files.writeString(folder.resolve("good.yaml"), GOOD);
    Files.writeString(folder.resolve("bad.yaml"), BAD);

    CommandRun run = CommandRun.in(folder, "contract", "lint", "--json", "good.yaml", "bad.yaml");

    JsonNode document = JsonMapper.shared().readTree(run.out());
    assertThat(document.path("ok").asBoolean(true)).isFalse();
    assertThat(document.at("/contracts/0/contract").asString()).isEqualTo("words/2");
    assertThat(document.at("/problems/0/file").asString()).isEqualTo("bad.yaml");
    assertThat(document.at("/problems/0/line").asInt()).isEqualTo(5);
    assertThat(CommandRun.in(folder, "contract", "lint", "good.yaml").exitCode()).isZero();
  }

  @Test
  void a_configuration_with_a_contract_that_is_wrong_is_wrong_there() throws IOException {
    Files.writeString(folder.resolve("bad.yaml"), BAD);
    Files.writeString(
        folder.resolve("onejob.yaml"),
        """
        kinds:
          demo:
            route: [w]
            contract: bad.yaml
        providers:
          w: {type: worker}
        """);

    CommandRun run = CommandRun.in(folder, "config", "check", "onejob.yaml");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BROKEN);
    assertThat(run.err()).startsWith("bad.yaml:5: rules.0.rule: ");
    Files.writeString(folder.resolve("bad.yaml"), GOOD);
    assertThat(CommandRun.in(folder, "config", "check", "onejob.yaml").exitCode()).isZero();
  }
}
