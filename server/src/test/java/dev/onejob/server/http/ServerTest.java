package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.OpenApiCheck;
import dev.onejob.server.testing.RawHttp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server around the operations. */
final class ServerTest {
  @RegisterExtension static final ApiExtension api = new ApiExtension();

  private final ApiClient stranger = new ApiClient(api.uri(), "");

  @Test
  void it_says_that_it_lives_and_is_ready() {
    assertThat(stranger.get("/healthz").status()).isEqualTo(200);
    await().until(() -> stranger.get("/readyz").status() == 200);
  }

  @Test
  void it_serves_its_own_description() {
    ApiAnswer answer = stranger.get("/openapi.json");
    assertThat(answer.json()).isEqualTo(OpenApiCheck.openApi());
    assertThat(answer.header("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.header("Server")).isEmpty();
  }

  @Test
  void it_shows_the_sandbox_effects_of_a_job() {
    String job = "job_01KB8XJ4M0E5V7S2T9QW3R6Y1Z";
    assertThat(stranger.get("/sandbox/effects?job=" + job).at("/job")).isEqualTo(job);
    assertThat(stranger.get("/sandbox/effects").code()).isEqualTo("parameter-invalid");
    assertThat(stranger.get("/sandbox/effects?job=x").code()).isEqualTo("not-found");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /",
    "GET, /v1",
    "GET, /v1/nothing",
    "GET, /v1/jobs/",
    "GET, //v1/jobs",
    "POST, /v2/jobs",
    "GET, /v1/Jobs"
  })
  void a_path_that_does_not_exist_is_not_found(String method, String path) {
    assertThat(RawHttp.send(api.uri(), raw(method, path), method + " " + path).code())
        .isEqualTo("not-found");
  }

  @Test
  void head_is_get_without_the_body() {
    assertThat(stranger.send("HEAD", "/healthz", "", Map.of()).status()).isEqualTo(200);
    assertThat(stranger.send("HEAD", "/v1/jobs", "", Map.of()).status()).isEqualTo(401);
    assertThat(api.client().send("HEAD", "/v1/jobs/x", "", Map.of()).status()).isEqualTo(404);
    ApiAnswer list = api.client().send("HEAD", "/v1/jobs", "", Map.of());
    assertThat(list.header("Content-Length")).contains("30");
  }

  @ParameterizedTest
  @CsvSource({"DELETE, /v1/jobs", "PUT, /healthz", "PATCH, /v1/keys", "OPTIONS, /v1/jobs"})
  void a_method_that_a_path_does_not_have_is_refused_with_those_it_has(String method, String path) {
    ApiAnswer answer = api.client().send(method, path, "", Map.of());
    assertThat(answer.code()).isEqualTo("method-not-allowed");
    assertThat(answer.header("Allow").orElseThrow()).containsAnyOf("GET", "POST");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /v1/jobs/%, 400, request-malformed",
    "GET, /v1/jobs/a%00b, 400, request-malformed",
    "G(T, /v1/jobs/x, 400, request-malformed"
  })
  void what_is_no_proper_http_is_answered_by_a_problem_too(
      String method, String path, int status, String code) {
    ApiAnswer answer = RawHttp.send(api.uri(), raw(method, path), "GET /v1/jobs/x");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void an_endless_header_is_refused() {
    String request = raw("GET", "/v1/jobs/x").replace("\r\n\r\n", "\r\nX: " + "x".repeat(200_000));
    ApiAnswer answer = RawHttp.send(api.uri(), request + "\r\n\r\n", "GET /v1/jobs/x");
    assertThat(answer.code()).isEqualTo("header-fields-too-large");
  }

  /**
   * A connection that finds the queue full is tried again by the caller's kernel a second later.
   */
  @Test
  void a_burst_of_connections_finds_room_at_once() throws IOException {
    InetSocketAddress address = new InetSocketAddress(api.uri().getHost(), api.uri().getPort());
    List<SocketChannel> channels = new ArrayList<>();
    try {
      int late = 0;
      for (int i = 0; i < 1_000; i++) {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        channel.configureBlocking(false);
        if (!channel.connect(address) && !channel.finishConnect()) {
          late++;
        }
      }
      assertThat(late).isZero();
    } finally {
      for (SocketChannel channel : channels) {
        channel.close();
      }
    }
  }

  private static String raw(String method, String path) {
    return method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  }
}
