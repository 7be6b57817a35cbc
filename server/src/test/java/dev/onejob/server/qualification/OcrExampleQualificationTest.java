package dev.onejob.server.qualification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The engines of examples/ocr on a few of its pages, under its contracts. */
final class OcrExampleQualificationTest {
  private static final Path EXAMPLE = Path.of("../examples/ocr").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final List<String> PROGRAMS =
      List.of("tesseract", "ocrad", "gocr", "pngtopnm", "ppmtopgm", "python3");

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  @TempDir static Path folder;

  private static Service service;

  @BeforeAll
  static void start() throws Exception {
    for (String program : PROGRAMS) {
      assumeThat(places(program)).as(program + " is not installed").isNotEmpty();
    }
    copy("invoice.schema.json");
    contract("invoice.contract.yaml", List.of("clean", "faint"));
    contract("office.contract.yaml", List.of("office-bread"));
    Path file = Files.writeString(folder.resolve("onejob.yaml"), configuration());
    service =
        Service.start(
            new SettingsLoader(ProviderTypes.ALL, System::getenv, folder)
                .load(file)
                .with(new Overrides(postgres.url(), null, 0, folder, "ocr")),
            ProviderTypes.ALL,
            System::getenv);
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  private static Stream<Path> places(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(each -> Path.of(each, program))
        .filter(Files::isExecutable);
  }

  private static void copy(String name) throws IOException {
    Path target = folder.resolve(name);
    Files.createDirectories(target.getParent());
    Files.copy(EXAMPLE.resolve(name), target);
  }

  /** The example's contract with some of its samples. */
  private static void contract(String name, List<String> samples) throws IOException {
    ObjectNode contract = (ObjectNode) new YAMLMapper().readTree(EXAMPLE.resolve(name));
    ArrayNode kept = JsonMapper.shared().createArrayNode();
    for (JsonNode sample : contract.path("samples")) {
      if (samples.contains(sample.path("name").asString())) {
        kept.add(sample);
        copy(sample.path("input_file").asString());
      }
    }
    assertThat(kept.size()).isEqualTo(samples.size());
    contract.set("samples", kept);
    Files.writeString(folder.resolve(name), JsonMapper.shared().writeValueAsString(contract));
  }

  /** The example's, and a first provider for one kind that has no engine in its path. */
  private static String configuration() throws Exception {
    ObjectNode all = (ObjectNode) new YAMLMapper().readTree(EXAMPLE.resolve("onejob.yaml"));
    ObjectNode providers = (ObjectNode) all.path("providers");
    for (String engine : List.of("tesseract", "ocrad", "gocr")) {
      ObjectNode provider = (ObjectNode) providers.path("invoice-" + engine);
      provider.putArray("command").add(EXAMPLE.resolve("read-invoice").toString()).add(engine);
    }
    providers.remove("tesseract");
    ObjectNode without = ((ObjectNode) providers.path("invoice-tesseract")).deepCopy();
    without.putObject("environment").put("PATH", pythonAlone().toString());
    providers.set("not-installed", without);
    ObjectNode kinds = (ObjectNode) all.path("kinds");
    kinds.remove("ocr.read");
    ((ObjectNode) kinds.path("invoice.office"))
        .putArray("route")
        .add("not-installed")
        .add("invoice-ocrad")
        .add("invoice-gocr");
    all.putObject("server").put("poll_interval", "100ms");
    return JsonMapper.shared().writeValueAsString(all);
  }

  private static Path pythonAlone() throws Exception {
    Process asked =
        new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)").start();
    String python = new String(asked.getInputStream().readAllBytes()).strip();
    assertThat(asked.waitFor()).isZero();
    Path alone = Files.createDirectories(folder.resolve("python-alone"));
    Files.createSymbolicLink(alone.resolve("python3"), Path.of(python));
    return alone;
  }

  private static ApiClient operator() {
    return new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().operator());
  }

  private static ApiClient client() {
    return new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().client());
  }

  /** The run of each provider, once all have ended. */
  private static Map<String, JsonNode> qualified(String kind, String... providers) {
    ObjectNode body = JsonMapper.shared().createObjectNode().put("kind", kind);
    ArrayNode named = body.putArray("providers");
    Stream.of(providers).forEach(named::add);
    ApiAnswer started = operator().post("/v1/qualification-runs", body.toString());
    assertThat(started.status()).as(started.text()).isEqualTo(201);
    return started
        .json()
        .path("runs")
        .valueStream()
        .map(run -> ended(run.path("id").asString()))
        .collect(Collectors.toMap(run -> run.path("provider").asString(), run -> run));
  }

  private static JsonNode ended(String run) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> operator().get("/v1/qualification-runs/" + run).json(),
            now -> !now.path("state").asString().equals("running"));
  }

  private static JsonNode check(JsonNode run, String name) {
    return StreamSupport.stream(run.at("/report/checks").spliterator(), false)
        .filter(each -> each.path("check").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static ApiAnswer endOf(String key, String page) throws IOException {
    String input = Files.readString(EXAMPLE.resolve("samples").resolve(page + ".json"));
    String job = client().submit(key, "invoice.office", input).at("/id");
    return await()
        .atMost(PATIENCE)
        .until(
            () -> client().get("/v1/jobs/" + job),
            now -> List.of("succeeded", "failed").contains(now.at("/state")));
  }

  @Test
  void an_engine_that_reads_every_page_passes_and_one_that_misreads_fails_at_a_named_check() {
    Map<String, JsonNode> runs =
        qualified("invoice.read", "invoice-tesseract", "invoice-ocrad", "invoice-gocr");

    assertThat(runs.get("invoice-tesseract").path("state").asString()).isEqualTo("passed");
    assertThat(check(runs.get("invoice-tesseract"), "Q19").path("right").asInt()).isEqualTo(10);
    for (String engine : List.of("invoice-ocrad", "invoice-gocr")) {
      JsonNode run = runs.get(engine);
      assertThat(run.path("state").asString()).as(engine).isEqualTo("failed");
      JsonNode schema = check(run, "Q3");
      assertThat(schema.path("verdict").asString()).as(engine).isEqualTo("failed");
      assertThat(schema.path("evidence").toString())
          .as(engine)
          .contains("sample/faint/1")
          .contains("/number: does not match")
          .doesNotContain("sample/clean");
    }
  }

  @Test
  void what_cannot_be_asked_of_a_program_is_not_applicable_for_a_reason_and_never_passed() {
    JsonNode run = qualified("invoice.office", "invoice-gocr").get("invoice-gocr");

    for (JsonNode each : run.at("/report/checks")) {
      boolean asked = each.path("asked").asInt() > 0;
      String name = each.path("check").asString();
      assertThat(each.path("verdict").asString().equals("not_applicable"))
          .as(name)
          .isEqualTo(!asked);
      assertThat(asked || !each.path("note").asString("").isEmpty()).as(name).isTrue();
    }
  }

  @Test
  void a_job_whose_first_engine_is_not_installed_goes_on_at_the_one_that_has_proved_itself()
      throws IOException {
    Map<String, JsonNode> runs = qualified("invoice.office", "invoice-ocrad", "invoice-gocr");
    ApiAnswer job = endOf("fails-over", "office-paper");

    assertThat(runs.get("invoice-gocr").path("state").asString()).isEqualTo("passed");
    assertThat(check(runs.get("invoice-ocrad"), "Q19").path("evidence").toString())
        .contains("/number: expected \\\"ML-73316\\\", \\\"NL-73316\\\" came");
    assertThat(job.at("/state")).isEqualTo("succeeded");
    assertThat(job.at("/attempts/0/provider")).isEqualTo("not-installed");
    assertThat(job.at("/attempts/0/failure/message")).contains("tesseract is not installed");
    assertThat(job.at("/attempts/1/provider")).isEqualTo("invoice-gocr");
    assertThat(job.json().path("attempts").size()).isEqualTo(2);
    assertThat(job.text()).contains("125.25");
  }
}
