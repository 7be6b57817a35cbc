package dev.onejob.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.http.RawServer.End;
import dev.onejob.providers.httpasync.Peer;
import dev.onejob.providers.httpasync.Peer.Work;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An answer that breaks the contract never becomes a result: the ways by which adapters alone bring
 * one, through a whole node. These are streams of events, a look at work that goes on elsewhere,
 * and callbacks in a provider's own form. For the ways of the engine see {@code ResultGateTest}.
 */
final class BrokenAnswersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String KEPT = "{\"kept\":true}";
  private static final String BROKEN = "{\"kept\":false}";

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();
  @TempDir static Path folder;

  private static final String EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  private static final String PLAIN = "/plain/v1/chat/completions";

  /** What the model says next, by the path that it is asked at. */
  private static final Map<String, String> SAYS = new ConcurrentHashMap<>();

  /** What is answered to the letter, before anything else, by the path. */
  private static final Map<String, String> RAW = new ConcurrentHashMap<>();

  private static RawServer models;
  private static Peer images;
  private static Service service;
  private static ApiClient client;

  @BeforeAll
  static void start() throws IOException {
    RawServer[] self = new RawServer[1];
    models = RawServer.start(to -> RawServer.write(to, answer(self[0]), End.CLOSE));
    self[0] = models;
    images = Peer.replicate();
    Files.writeString(
        folder.resolve("promise.yaml"),
        """
        contract: promise
        version: 1
        answer: json
        output: {type: object, required: [kept], properties: {kept: {const: true}}}
        """);
    SettingsLoader loader =
        new SettingsLoader(ProviderTypes.ALL, name -> name.equals("S") ? SECRET : null, folder);
    service =
        Service.start(
            loader
                .load(config())
                .with(new Overrides(postgres.url(), null, 0, folder.resolve("data"), "n")),
            ProviderTypes.ALL,
            name -> name.equals("S") ? SECRET : null);
    client = new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().client());
  }

  private static Path config() throws IOException {
    String model = "base_url: " + models.uri() + "/v1, model: m, prompt: \"{{/q}}\", result: json";
    String work =
        "type: http-async, profile: replicate, model: owner/name, base_url: "
            + images.uri()
            + "/v1, callback: {signature: {secret_env: S}}";
    StringBuilder config = new StringBuilder("server: {sweep_interval: 100ms}\nkinds:\n");
    for (String kind :
        new String[] {"chat", "plain", "messages", "responses", "looked-at", "told"}) {
      config.append(
          "  %s: {effect: exclusive, route: [%s], attempts: 1, contract: promise.yaml}\n"
              .formatted(kind, kind));
    }
    config.append(
        """
        providers:
          chat: {type: openai-chat, stream: true, %s}
          plain: {type: openai-chat, base_url: %s/plain/v1, model: m, prompt: "{{/q}}"}
          messages: {type: anthropic-messages, stream: true, parameters: {max_tokens: 9}, %s}
          responses: {type: openai-responses, background: false, stream: true, %s}
          looked-at: {poll: {every: 20ms}, %s}
          told: {poll: {every: 1h}, %s}
        """
            .formatted(model, models.uri(), model, model, work, work));
    return Files.writeString(folder.resolve("onejob.yaml"), config);
  }

  @AfterAll
  static void stop() throws IOException {
    service.close();
    images.close();
    models.close();
  }

  private static String answer(RawServer server) {
    String path = server.requests().getLast().split(" ", 3)[1];
    String raw = RAW.remove(path);
    return raw == null ? stream(path) : raw;
  }

  /** A whole stream of the protocol that is spoken at the path, in which the text comes in two. */
  private static String stream(String path) {
    String text = SAYS.get(path).replace("\"", "\\\"");
    String first = text.substring(0, 5);
    String second = text.substring(5);
    String events =
        switch (path) {
          case "/v1/chat/completions" ->
              """
              data: {"model":"m","choices":[{"delta":{"content":"%s"},"finish_reason":null}]}

              data: {"model":"m","choices":[{"delta":{"content":"%s"},"finish_reason":"stop"}]}

              data: [DONE]

              """
                  .formatted(first, second);
          case "/v1/messages" ->
              """
              data: {"type":"message_start","message":{"id":"msg_1","model":"m","content":[]}}

              data: {"type":"content_block_start","index":0,\
              "content_block":{"type":"text","text":""}}

              data: {"type":"content_block_delta","index":0,\
              "delta":{"type":"text_delta","text":"%s"}}

              data: {"type":"content_block_delta","index":0,\
              "delta":{"type":"text_delta","text":"%s"}}

              data: {"type":"content_block_stop","index":0}

              data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{}}

              data: {"type":"message_stop"}

              """
                  .formatted(first, second);
          default ->
              """
              data: {"type":"response.output_text.delta","delta":"%s"}

              data: {"type":"response.completed","response":{"id":"resp_1","model":"m",\
              "status":"completed","output":[{"type":"message",\
              "content":[{"type":"output_text","text":"%s"}]}]}}

              """
                  .formatted(first, text);
        };
    return EVENTS + events;
  }

  private static String submit(String key, String kind) {
    ApiAnswer job = client.submit(key, kind, "{\"q\":\"why?\"}");
    assertThat(job.status()).as(job.text()).isEqualTo(201);
    return job.at("/id");
  }

  private static ApiAnswer ended(String job) {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/jobs/" + job),
            it -> it.at("/state").equals("succeeded") || it.at("/state").equals("failed"));
  }

  private static void isTheResult(String job) {
    ApiAnswer ended = ended(job);
    assertThat(ended.at("/state")).as(ended.text()).isEqualTo("succeeded");
    assertThat(ended.json().at("/result").toString()).isEqualTo(KEPT);
  }

  private static void isNoResult(String job) {
    ApiAnswer ended = ended(job);
    assertThat(ended.at("/state")).as(ended.text()).isEqualTo("failed");
    assertThat(ended.at("/attempts/0/failure/code")).isEqualTo("contract-breach");
    assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
    assertThat(ended.json().at("/completed_by").isNull()).isTrue();
    assertThat(ended.json().path("result").isObject()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"chat:/v1/chat/completions", "messages:/v1/messages", "responses:/v1/responses"})
  void the_text_of_a_stream(String kindAndPath) {
    String kind = kindAndPath.split(":", 2)[0];
    String path = kindAndPath.split(":", 2)[1];
    long before = asked(path);
    SAYS.put(path, BROKEN);
    isNoResult(submit(kind + "-broken", kind));
    SAYS.put(path, KEPT);
    isTheResult(submit(kind + "-kept", kind));
    assertThat(asked(path) - before).as("one request for each job").isEqualTo(2);
  }

  private static long asked(String path) {
    return models.requests().stream().filter(it -> it.startsWith("POST " + path + " ")).count();
  }

  /** Case C46: a 200 that is none, from the socket to the job. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"error":{"code":"unauthorized"}}                  | failed
          ``                                                 | unknown
          <html><body>Welcome to the hotel</body></html>     | unknown
          {"choices":[]}                                     | unknown
          {"error":{"code":"mystery"}}                       | unknown
          """)
  void c46_a_200_that_is_no_answer(String body, String state) {
    RAW.put(PLAIN, RawServer.whole(200, body));
    isNoSuccess("whole " + body.hashCode(), "plain", state);
    if (body.startsWith("{\"error\"")) {
      RAW.put("/v1/chat/completions", EVENTS + "data: " + body + "\n\n");
      isNoSuccess("stream " + body.hashCode(), "chat", state);
    }
  }

  private static void isNoSuccess(String key, String kind, String state) {
    String job = submit(key.replace(' ', '-'), kind);
    ApiAnswer seen =
        await()
            .atMost(PATIENCE)
            .until(() -> client.get("/v1/jobs/" + job), it -> it.at("/state").equals(state));
    assertThat(seen.json().at("/completed_by").isNull()).isTrue();
    assertThat(seen.json().at("/attempts").size()).isEqualTo(1);
  }

  @Test
  void what_a_look_shows_while_the_call_goes_on() throws Exception {
    String broken = submit("look-broken", "looked-at");
    images.succeed(images.next(), BROKEN);
    isNoResult(broken);
    String kept = submit("look-kept", "looked-at");
    images.succeed(images.next(), KEPT);
    isTheResult(kept);
  }

  @Test
  void what_a_callback_in_the_provider_s_own_form_brings() throws Exception {
    String broken = submit("told-broken", "told");
    tell(broken, BROKEN);
    isNoResult(broken);
    String kept = submit("told-kept", "told");
    tell(kept, KEPT);
    isTheResult(kept);
  }

  /** Signed, at the door of the provider, once its id of the work is on record. */
  private static void tell(String job, String output) throws Exception {
    Work work = images.next();
    await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/jobs/" + job).at("/attempts/0/provider_ref"), work.id()::equals);
    images.succeed(work, output);
    URI door = service.uri().resolve("/v1/callbacks/told");
    assertThat(images.send(door, images.callbackBody(work), "event-" + job).statusCode())
        .isEqualTo(200);
  }
}
