package dev.onejob.providers.responses;

import static dev.onejob.providers.responses.ResponsesPeer.ID;
import static dev.onejob.providers.responses.ResponsesPeer.completed;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** OpenAI's events about responses that have ended, through a whole node. */
final class ResponseWebhooksTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();
  @TempDir static Path folder;

  private static ResponsesPeer peer;
  private static Service service;
  private static ApiClient client;

  @BeforeAll
  static void start() throws IOException {
    peer = ResponsesPeer.start();
    Path config =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            server: {sweep_interval: 100ms}
            kinds:
              answer: {effect: exclusive, route: [responses], attempt_timeout: 3s, attempts: 1}
            providers:
              responses:
                type: openai-responses
                base_url: %s/v1
                model: m
                prompt: "{{/q}}"
                poll_interval: 1h
                webhook_secret_env: PEER_SECRET
                probe: {first: 30m, max: 30m}
              silent:
                type: openai-responses
                base_url: %s/v1
                model: m
                prompt: "{{/q}}"
            """
                .formatted(peer.uri(), peer.uri()));
    SettingsLoader loader =
        new SettingsLoader(ProviderTypes.ALL, ResponseWebhooksTest::environment, folder);
    service =
        Service.start(
            loader
                .load(config)
                .with(new Overrides(postgres.url(), null, 0, folder.resolve("data"), "n")),
            ProviderTypes.ALL,
            ResponseWebhooksTest::environment);
    client = new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().client());
  }

  private static @Nullable String environment(String name) {
    return name.equals("PEER_SECRET") ? SECRET : null;
  }

  @AfterAll
  static void stop() {
    service.close();
    peer.close();
  }

  private static String event(String type) {
    return "{\"object\":\"event\",\"id\":\"evt_1\",\"type\":\"response."
        + type
        + "\",\"created_at\":1750000000,\"data\":{\"id\":\""
        + ID
        + "\"}}";
  }

  private static HttpResponse<String> send(String provider, String secret, String id, String body)
      throws Exception {
    String seconds = Long.toString(Instant.now().getEpochSecond());
    Mac mac = Mac.getInstance("HmacSHA256");
    byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    byte[] signed = mac.doFinal((id + "." + seconds + "." + body).getBytes(UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(service.uri().resolve("/v1/callbacks/" + provider))
            .header("Content-Type", "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", "v1," + Base64.getEncoder().encodeToString(signed))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static ApiAnswer awaitState(String job, String state) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> client.get("/v1/jobs/" + job), it -> it.at("/state").equals(state));
  }

  private static int questions() {
    return peer.count("GET /v1/responses/" + ID + "\n");
  }

  @Test
  void a_signed_event_has_the_response_looked_up_which_alone_says_how_it_ended() throws Exception {
    String job = client.submit("webhook-1", "answer", "{\"q\":\"why?\"}").at("/id");
    assertThat(awaitState(job, "unknown").at("/attempts/0/provider_ref")).isEqualTo(ID);
    peer.says(completed("because"));
    String forger = "whsec_" + Base64.getEncoder().encodeToString("another".getBytes(UTF_8));

    assertThat(send("responses", forger, "evt-1", event("completed")).statusCode()).isEqualTo(403);
    assertThat(send("responses", SECRET, "evt-2", event("created")).statusCode()).isEqualTo(400);
    assertThat(send("silent", SECRET, "evt-3", event("completed")).statusCode()).isEqualTo(404);
    assertThat(questions()).isZero();
    assertThat(client.get("/v1/jobs/" + job).at("/state")).isEqualTo("unknown");

    // It says failed, and has completed: the event is a reason to look, and no more.
    assertThat(send("responses", SECRET, "evt-4", event("failed")).statusCode()).isEqualTo(200);

    ApiAnswer ended = awaitState(job, "succeeded"); // the first question was due in half an hour
    assertThat(ended.text()).contains("because");
    assertThat(questions()).isEqualTo(1);
    assertThat(peer.submits()).isEqualTo(1);
    assertThat(send("responses", SECRET, "evt-4", event("failed")).body()).contains("repeated");
    assertThat(client.get("/v1/jobs/" + job).at("/contested")).isEqualTo("false");
  }

  @Test
  void a_secret_without_work_in_the_background_or_of_another_form_is_no_setting() {
    ObjectNode onTheLine = settings("PEER_SECRET").put("background", false);
    assertThatThrownBy(() -> create(onTheLine))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining("background");
    assertThatThrownBy(() -> create(settings("OTHER")))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining("base 64");
    assertThatThrownBy(() -> create(settings("NOT_SET")))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining("NOT_SET");
  }

  private static ObjectNode settings(String variable) {
    return OpenAiResponsesTest.settings(URI.create("http://127.0.0.1:1"))
        .put("webhook_secret_env", variable);
  }

  private static void create(ObjectNode settings) {
    OpenAiResponsesTest.provider(settings);
  }
}
