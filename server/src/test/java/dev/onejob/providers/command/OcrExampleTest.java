package dev.onejob.providers.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.ProviderContext;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The example's own settings and program, on a real page. */
@EnabledIf(value = "isTesseractInstalled", disabledReason = "tesseract is not installed")
final class OcrExampleTest {
  private static final Path EXAMPLE = Path.of("../examples/ocr").toAbsolutePath().normalize();

  private Provider provider;

  static boolean isTesseractInstalled() {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tesseract")));
  }

  @BeforeEach
  void make() {
    JsonNode configuration = new YAMLMapper().readTree(EXAMPLE.resolve("onejob.yaml"));
    ObjectNode settings = (ObjectNode) configuration.at("/providers/tesseract");
    settings.remove(List.of("type", "in_flight"));
    ProviderContext context =
        new ProviderContext(System::getenv, EXAMPLE, () -> URI.create("http://unused"));
    provider = new CommandType().create("tesseract", settings, context);
  }

  @Test
  void a_page_is_read_with_a_box_around_every_word() throws Exception {
    Outcome outcome = ProviderCall.start(provider, request(page())).outcome();
    JsonNode result = BoundedJson.read(((Outcome.Succeeded) outcome).result().bytes());
    assertThat(result.path("text").asString())
        .contains("Delivery note 4711", "twelve crates of apples");
    assertThat(result.path("words").size()).isGreaterThan(30);
    for (JsonNode word : result.path("words")) {
      assertThat(word.path("text").asString()).isNotBlank();
      assertThat(word.path("confidence").asDouble()).isBetween(0.0, 100.0);
      assertThat(word.path("box").size()).isEqualTo(4);
    }
  }

  @Test
  void tesseract_killed_half_way_ends_as_the_configuration_says() throws Exception {
    ProviderRequest request = request(page());
    ProviderCall call = ProviderCall.start(provider, request);
    await()
        .pollInterval(Duration.ofMillis(2))
        .until(() -> tesseract(request).filter(ProcessHandle::destroyForcibly).isPresent());
    Outcome.Failed failed = (Outcome.Failed) call.outcome();
    assertThat(failed.retryability()).isEqualTo(Retryability.RETRYABLE);
    Failure expected = new Failure("exit-75", "exit code 75: tesseract was ended by signal 9");
    assertThat(failed.failure()).isEqualTo(expected);
  }

  @Test
  void a_page_that_cannot_be_read_has_failed() throws Exception {
    String broken = image("\u0089PNG\r\n\u001a\nand nothing more".getBytes(ISO_8859_1));
    assertThat(ProviderCall.start(provider, request(broken)).outcome())
        .isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void what_is_no_image_is_refused_and_never_taken_for_the_name_of_a_file() throws Exception {
    String name = image(EXAMPLE.resolve("page.png").toString().getBytes(UTF_8));
    for (String input : List.of("{}", "[]", "{\"image_base64\":\"%\"}", name)) {
      assertThat(ProviderCall.start(provider, request(input)).outcome())
          .isInstanceOf(Outcome.Refused.class);
    }
  }

  @Test
  void a_small_file_that_says_it_is_a_huge_page_is_refused_before_an_engine_sees_it()
      throws Exception {
    String png = "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\u0080\0\0\0\u0080\0\1\0\0\0\0";
    String jpeg = "\u00ff\u00d8\u00ff\u00c0\0\u000b\10\u0080\0\u0080\0\1\1\u0011\0";
    String tiff = "II*\0\10\0\0\0\2\0\0\1\4\0\1\0\0\0\0\u0080\0\0\1\1\4\0\1\0\0\0\0\u0080\0\0";
    for (String huge : List.of(png, jpeg, tiff)) {
      Outcome outcome =
          ProviderCall.start(provider, request(image(huge.getBytes(ISO_8859_1)))).outcome();
      assertThat(((Outcome.Refused) outcome).failure().message())
          .contains("32768 by 32768 points; 64,000,000 are allowed");
    }
  }

  @Test
  void an_image_that_does_not_say_how_large_it_is_has_failed() throws Exception {
    for (String cut :
        List.of("\u00ff\u00d8\u00ff\u00e0", "II*\0\u00ff\u00ff\u00ff\u007f", "MM\0*")) {
      Outcome outcome =
          ProviderCall.start(provider, request(image(cut.getBytes(ISO_8859_1)))).outcome();
      assertThat(((Outcome.Failed) outcome).failure().message()).contains("how large it is");
    }
  }

  private static Optional<ProcessHandle> tesseract(ProviderRequest request) {
    return ProcessHandle.current()
        .descendants()
        .filter(process -> runsTesseract(process.pid(), request))
        .findAny();
  }

  private static boolean runsTesseract(long pid, ProviderRequest request) {
    try (Stream<String> variables =
        Stream.of(Files.readString(Path.of("/proc/" + pid + "/environ")).split("\0"))) {
      String mark = Launch.ATTEMPT_VARIABLE + "=" + request.attemptId();
      return variables.anyMatch(mark::equals)
          && Files.readString(Path.of("/proc/" + pid + "/comm")).equals("tesseract\n");
    } catch (IOException e) {
      return false; // gone meanwhile
    }
  }

  private static String page() throws IOException {
    return image(Files.readAllBytes(EXAMPLE.resolve("page.png")));
  }

  private static String image(byte[] image) {
    return "{\"image_base64\":\"" + Base64.getEncoder().encodeToString(image) + "\"}";
  }

  private static ProviderRequest request(String input) {
    return ProviderCall.request(input.getBytes(UTF_8), Duration.ofSeconds(60), Duration.ZERO);
  }
}
