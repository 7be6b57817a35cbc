package dev.onejob.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What stands in the examples can be used as it stands there. */
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.walk(EXAMPLES, 2)) {
      return all.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }

  @Test
  void every_configuration_would_start_a_service() throws IOException {
    List<Path> configurations = files("onejob.yaml");
    assertThat(configurations).hasSizeGreaterThanOrEqualTo(3);
    for (Path each : configurations) {
      CommandRun run =
          CommandRun.with(
              EXAMPLES, "", Map.of("CHAT_KEY", "secret"), "config", "check", each.toString());
      assertThat(run.exitCode()).as(each + ": " + run.err()).isZero();
    }
  }

  @Test
  void no_contract_has_anything_that_lint_complains_about() throws IOException {
    List<Path> contracts = files(".contract.yaml");
    assertThat(contracts).hasSizeGreaterThanOrEqualTo(3);
    for (Path each : contracts) {
      CommandRun run = CommandRun.in(EXAMPLES, "contract", "lint", each.toString());
      assertThat(run.exitCode()).as(each + ": " + run.out() + run.err()).isZero();
      assertThat(run.out()).contains("OK");
    }
  }

  @Test
  void the_pictures_of_pages_are_the_samples_that_engines_are_given() throws IOException {
    List<Path> pages;
    try (Stream<Path> all = Files.list(EXAMPLES.resolve("ocr/pages"))) {
      pages = all.sorted().toList();
    }
    assertThat(pages).hasSizeGreaterThanOrEqualTo(10);
    for (Path page : pages) {
      String stem = page.getFileName().toString().replaceAll("\\.[a-z]+$", "");
      JsonNode sample =
          JsonMapper.shared().readTree(EXAMPLES.resolve("ocr/samples/" + stem + ".json"));
      byte[] carried = Base64.getDecoder().decode(sample.path("image_base64").asString());
      assertThat(carried).as(stem).isEqualTo(Files.readAllBytes(page));
    }
  }
}
