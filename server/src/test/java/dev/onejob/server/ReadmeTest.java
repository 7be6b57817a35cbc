package dev.onejob.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the README tells a reader to type is typed here, but for the port. */
class ReadmeTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```$");

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();
  @TempDir Path folder;

  @Test
  void its_lines_of_curl_submit_a_job_that_succeeds_once() throws Exception {
    try (Service service = start()) {
      String submission = block("/v1/jobs", service);
      JsonNode job = json(bash(submission));
      assertThat(job.at("/state").asString()).as(job.toString()).isEqualTo("succeeded");
      assertThat(job.at("/attempts").size()).isEqualTo(1);

      String id = job.at("/id").asString();
      assertThat(json(bash(submission)).at("/id").asString()).isEqualTo(id);
      JsonNode effects = json(bash(block("/sandbox/effects", service).replace("<its id>", id)));
      assertThat(effects.at("/requests").asInt()).isEqualTo(1);
      assertThat(effects.at("/effects").asInt()).isEqualTo(1);
    }
  }

  private Service start() {
    SettingsLoader loader = new SettingsLoader(ProviderTypes.ALL, name -> null, folder);
    Path data = loader.builtIn().dataFolder();
    return Service.start(
        loader.builtIn().with(new Overrides(postgres.url(), null, 0, data, "test")),
        ProviderTypes.ALL,
        name -> null);
  }

  /** The first block of code with that text in it, aimed at the service of this test. */
  private static String block(String text, Service service) throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    List<String> found =
        BLOCK
            .matcher(readme)
            .results()
            .map((MatchResult block) -> block.group(1))
            .filter(block -> block.contains(text))
            .toList();
    assertThat(found).as("blocks of the README with " + text).isNotEmpty();
    return found.getFirst().replace("http://127.0.0.1:8080", service.uri().toString());
  }

  private String bash(String script) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-eu", "-c", script)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("exit code of " + script).isZero();
    return out;
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}
