package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The example of examples/ocr through the service. Needs tesseract. */
@Tag("process")
class ReadAPageTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "ocr").toAbsolutePath().normalize();

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  @TempDir static Path folder;

  private static NodeProcess node;
  private static ApiClient client;

  @BeforeAll
  static void start() {
    assumeThat(Path.of("/usr/bin/tesseract")).exists();
    List<String> arguments = List.of("--config", EXAMPLE.resolve("onejob.yaml").toString());
    node = NodeProcess.start(postgres.url(), folder, "n1", arguments);
    client = node.client(node.firstKey("client"));
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static String page() throws IOException {
    byte[] image = Files.readAllBytes(EXAMPLE.resolve("page.png"));
    return "{\"image_base64\":\"" + Base64.getEncoder().encodeToString(image) + "\"}";
  }

  @Test
  void a_page_image_comes_back_as_text_with_a_box_around_every_word() throws IOException {
    String id = created(client.submit("page", "ocr.read", page()));
    ApiAnswer job = awaitJob(client, id, "/state", "succeeded");

    assertThat(job.at("/result/text")).contains("Delivery note 4711");
    assertThat(job.at("/result/words/0/text")).isEqualTo("Delivery");
    assertThat(job.json().at("/result/words/0/box").size()).isEqualTo(4);
  }

  @Test
  void tesseract_killed_half_way_fails_the_attempt_and_the_page_is_read_again() throws IOException {
    String id = created(client.submit("killed", "ocr.read", page()));
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(2))
        .until(() -> tesseract().filter(ProcessHandle::destroyForcibly).isPresent());
    ApiAnswer job = awaitJob(client, id, "/state", "succeeded");

    assertThat(job.at("/attempts/0/state")).isEqualTo("failed");
    assertThat(job.at("/attempts/0/failure/code")).isEqualTo("exit-75");
    assertThat(job.at("/attempts/1/state")).isEqualTo("succeeded");
  }

  private static Optional<ProcessHandle> tesseract() {
    return node.descendants()
        .filter(process -> process.info().command().orElse("").endsWith("tesseract"))
        .findAny();
  }
}
