package dev.onejob.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Unchanged clients, whose timeout is shorter than the provider's work, in front of a provider that
 * is slow and fails: at the door of Onejob, and straight at the provider, in the same run. The
 * table in the documents says what is demanded of it.
 */
final class OfficialClientsTest {
  /** Of each client; a hundred in all. */
  private static final int CALLS = 25;

  /** Of these, the ones whose answer the provider loses: the 8th and the 18th. */
  private static final int ANSWERS_LOST = 2;

  private static final Duration WORK = Duration.ofSeconds(4);

  /**
   * The first try of a call never sees its answer. The second begins half a second later and does;
   * where the machine is busy, the third still has six seconds more.
   */
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** So that a machine that others use too is not measured: thirteen calls begin in a second. */
  private static final Duration PACE = Duration.ofMillis(300);

  /**
   * For a machine that stands still for ten seconds; one at ease needs none. How many calls need
   * them is in the table, and hangs on the machine; nothing that is demanded does.
   */
  private static final int CLICKS = 10;

  private static final Client.Round STRAIGHT = new Client.Round(CALLS, PACE, TIMEOUT, 0);
  private static final Client.Round DOOR = new Client.Round(CALLS, PACE, TIMEOUT, CLICKS);

  private static final Path DOCUMENT = Path.of("..", "docs", "openai-door.md");
  private static final Path FOUND = Path.of("target", "openai-door-table.md");

  private static final Client OPENAI = new Npm.NpmClient("openai", "npm `openai`");
  private static final Client AI = new Npm.NpmClient("ai", "npm `ai` with `@ai-sdk/openai`");
  private static final Client OPENAI_JAVA = new JavaClients.OpenAiJava();
  private static final Client LANGCHAIN4J = new JavaClients.LangChain4j();

  private static final List<Client> ALL = List.of(OPENAI, OPENAI_JAVA, AI, LANGCHAIN4J);

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  @TempDir static Path folder;

  private static SlowPeer behind;
  private static SlowPeer straight;
  private static Service service;
  private static String apiKey;

  @BeforeAll
  static void start() throws Exception {
    CompletableFuture<Boolean> installed = CompletableFuture.supplyAsync(Npm::install);
    behind = SlowPeer.start(WORK);
    straight = SlowPeer.start(WORK);
    Path file = Files.writeString(folder.resolve("onejob.yaml"), configuration(behind.baseUrl()));
    service =
        Service.start(
            new SettingsLoader(ProviderTypes.ALL, name -> null, folder)
                .load(file)
                .with(new Overrides(postgres.url(), null, 0, folder.resolve("data"), "door")),
            ProviderTypes.ALL,
            name -> null);
    apiKey = service.firstKeys().orElseThrow().keys().client();
    warm();
    assumeThat(installed.get()).as("needs npm and its registry for %s", Npm.PACKAGES).isTrue();
  }

  /** Clients and node have done all this before, so that their first seconds are not measured. */
  private static void warm() throws Exception {
    Client.Round atEase = new Client.Round(8, Duration.ZERO, Duration.ofMinutes(1), 0);
    List<Future<?>> done = new ArrayList<>();
    try (SlowPeer prompt = SlowPeer.start(Duration.ZERO);
        HttpClient http = HttpClient.newHttpClient();
        ExecutorService callers = Executors.newFixedThreadPool(4)) {
      for (Client client : List.of(OPENAI_JAVA, LANGCHAIN4J)) {
        done.add(callers.submit(() -> client.call(prompt.baseUrl(), "unused", atEase)));
      }
      for (int i = 0; i < 60; i++) {
        HttpRequest request = hello("hello-" + i);
        done.add(callers.submit(() -> http.send(request, HttpResponse.BodyHandlers.ofString())));
      }
      for (Future<?> each : done) {
        each.get();
      }
    }
  }

  private static HttpRequest hello(String key) {
    return HttpRequest.newBuilder(URI.create(door() + "/chat/completions"))
        .header("Authorization", "Bearer " + apiKey)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", key)
        .POST(
            HttpRequest.BodyPublishers.ofString(
                "{\"model\":\"gpt-x\",\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}"))
        .build();
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
    for (SlowPeer peer : new SlowPeer[] {behind, straight}) {
      if (peer != null) {
        peer.close();
      }
    }
  }

  private static String configuration(URI peer) {
    return """
    openai_door:
      chat_completions: {gpt-x: chat}
      responses: {gpt-x: responses}
      doubt_patience: 1s
    kinds:
      chat: {route: [chat-peer], in_flight: 512, backoff: {first: 100ms, max: 1s}}
      responses: {route: [responses-peer]}
    providers:
      chat-peer:
        type: openai-chat
        base_url: %1$s
        model: peer
        request: input
        result: whole
        in_flight: 512
      responses-peer:
        type: openai-chat
        base_url: %1$s
        model: peer
        request: input
        endpoint: responses
        result: whole
    server: {slots: 1024}
    """
        .formatted(peer);
  }

  private static URI door() {
    return URI.create(service.uri() + "/openai/v1");
  }

  private record Row(Client client, Client.Found direct, Client.Found door) {
    String text() {
      return "| %s | %d | %d | %d | %d | %d | %d | %d |"
          .formatted(
              client.title(),
              CALLS,
              straight.effects(client.name()),
              direct.answers(),
              behind.effects(client.name()),
              door.answers(),
              door.named(),
              door.clicked());
    }
  }

  @Test
  void each_call_with_a_key_has_one_effect_and_gets_its_answer_or_an_error_that_names_the_job()
      throws Exception {
    List<Row> rows = called();
    Files.writeString(FOUND, String.join("\n", rows.stream().map(Row::text).toList()) + "\n");
    for (Row row : rows) {
      assertThat(behind.effects(row.client().name())).as(row.text()).isEqualTo(CALLS);
      assertThat(straight.effects(row.client().name())).as(row.text()).isGreaterThan(CALLS);
      assertThat(row.door().others()).as(row.text()).isEmpty();
      assertThat(row.door().answers() + row.door().named()).as(row.text()).isEqualTo(CALLS);
      assertThat(row.door().named()).as(row.text()).isEqualTo(ANSWERS_LOST);
      assertDocumented(row);
    }
  }

  /** What the provider sees without us, and clicks, hang on timing; the rest does not. */
  private static void assertDocumented(Row row) throws IOException {
    String[] found = row.text().split(" *\\| *");
    assertThat(Files.readAllLines(DOCUMENT))
        .as("the table of %s has a line like %s", DOCUMENT, row.text())
        .anySatisfy(
            line -> {
              String[] cells = line.split(" *\\| *");
              assertThat(cells).hasSameSizeAs(found);
              for (int cell : new int[] {1, 2, 5, 6, 7}) {
                assertThat(cells[cell]).isEqualTo(found[cell]);
              }
            });
  }

  /** All clients at once, each at the door and straight at the provider. */
  private static List<Row> called() throws Exception {
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Client.Found>> direct = new ArrayList<>();
      List<Future<Client.Found>> through = new ArrayList<>();
      for (Client client : ALL) {
        direct.add(callers.submit(() -> client.call(straight.baseUrl(), "unused", STRAIGHT)));
        through.add(callers.submit(() -> client.call(door(), apiKey, DOOR)));
      }
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < ALL.size(); i++) {
        rows.add(new Row(ALL.get(i), direct.get(i).get(), through.get(i).get()));
      }
      return rows;
    }
  }

  @Test
  void the_clients_understand_models_streams_responses_and_errors() throws Exception {
    JsonNode found = Npm.run("shapes.mjs", Npm.argument(door(), apiKey));
    assertThat(found.path("models").toString()).isEqualTo("[\"gpt-x\"]");
    for (String answer :
        List.of("openai_stream", "openai_helper", "openai_response", "ai_stream", "ai_response")) {
      assertThat(found.path(answer).asString("")).as(answer).isEqualTo("Hi");
    }
    assertThat(found.path("openai_stream_usage").asInt()).isEqualTo(5);
    assertThat(found.path("ai_stream_usage").asInt()).isEqualTo(5);
    assertThat(found.path("no_model").asString()).isEqualTo("NotFoundError 404 model_not_found");
    assertThat(found.path("no_key").asString())
        .isEqualTo("AuthenticationError 401 invalid_api_key");
    assertThat(found.path("mismatch").asString()).isEqualTo("ConflictError 409 intent_mismatch");
  }
}
