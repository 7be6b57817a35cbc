package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.onejob.domain.Limits;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.RawHttp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C32 and C41: how deep and how large. */
final class BodyBoundsTest {
  private static final Duration AT_ONCE = Duration.ofSeconds(20);

  @RegisterExtension static final ApiExtension api = new ApiExtension();

  /** C32. */
  @ParameterizedTest
  @ValueSource(ints = {129, 1_000, 100_000})
  void brackets_beyond_the_depth_are_refused_at_once(int brackets) {
    assertTimeout(
        AT_ONCE,
        () -> {
          ApiAnswer answer = api.client().submit("k", "plain", "[".repeat(brackets));
          assertThat(answer.status()).isEqualTo(400);
          assertThat(answer.code()).isEqualTo("body-invalid");
          assertThat(answer.at("/reason")).isEqualTo("too_deep");
        });
  }

  @Test
  void an_input_as_deep_as_may_be_is_taken() {
    int depth = Limits.JSON_DEPTH_MAX;
    String input = "[".repeat(depth) + "]".repeat(depth);
    assertThat(api.client().submit("k", "plain", input).status()).isEqualTo(201);
  }

  /** C32: the caller is told before it has sent anything, and can read the answer. */
  @Test
  void a_body_that_announces_one_byte_too_many_is_refused_before_it_comes() {
    String request =
        head() + "Content-Length: " + (Limits.BODY_BYTES_MAX + 1) + "\r\n\r\n{\"kind\"";
    assertTimeout(
        AT_ONCE,
        () -> {
          ApiAnswer answer = RawHttp.send(api.uri(), request, "POST /v1/jobs");
          assertThat(answer.code()).isEqualTo("body-too-large");
          assertThat(answer.at("/limit_bytes")).isEqualTo(Integer.toString(Limits.BODY_BYTES_MAX));
        });
  }

  /** C32. */
  @Test
  void a_body_that_is_one_byte_too_large_is_refused() {
    ApiAnswer answer =
        api.client()
            .send(
                "POST",
                "/v1/jobs",
                spaces(Limits.BODY_BYTES_MAX + 1),
                Map.of("Idempotency-Key", "k"));
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.code()).isEqualTo("body-too-large");
  }

  @Test
  void a_body_of_the_largest_size_is_read() {
    ApiAnswer answer =
        api.client()
            .send(
                "POST", "/v1/jobs", spaces(Limits.BODY_BYTES_MAX), Map.of("Idempotency-Key", "k"));
    assertThat(answer.code()).isEqualTo("body-invalid");
  }

  /** C32. */
  @Test
  void a_chunked_body_is_counted_while_it_is_read() {
    byte[] body = spaces(Limits.BODY_BYTES_MAX + 1);
    ApiAnswer answer =
        api.client()
            .send(
                api.client()
                    .builder("/v1/jobs")
                    .header("Idempotency-Key", "k")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                    .build());
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.code()).isEqualTo("body-too-large");
  }

  /** C32: what inflates a thousandfold is not inflated at all. */
  @Test
  void a_compressed_body_is_refused() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(new byte[Limits.BODY_BYTES_MAX]);
    }
    assertThat(compressed.size()).isLessThan(Limits.BODY_BYTES_MAX / 900);
    ApiAnswer answer =
        api.client()
            .send(
                "POST",
                "/v1/jobs",
                compressed.toByteArray(),
                Map.of("Idempotency-Key", "k", "Content-Encoding", "gzip"));
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.header("Accept-Encoding")).contains("identity");
  }

  @Test
  void an_input_larger_than_an_input_may_be_is_refused() {
    String input = "\"" + "x".repeat(Limits.INPUT_BYTES_MAX - 1) + "\"";
    ApiAnswer answer = api.client().submit("k", "plain", input);
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.code()).isEqualTo("input-too-large");
    assertThat(answer.at("/pointer")).isEqualTo("/input");
  }

  @Test
  void a_body_that_breaks_off_admits_nothing() {
    String request = head() + "Transfer-Encoding: chunked\r\n\r\nzz\r\n";
    ApiAnswer answer = RawHttp.send(api.uri(), request, "POST /v1/jobs");
    assertThat(answer.code()).isEqualTo("request-malformed");
  }

  /** C41. */
  @ParameterizedTest
  @ValueSource(ints = {7_900, 8_100, 200_000, Limits.INPUT_BYTES_MAX})
  void inputs_around_the_size_of_a_notification_and_beyond_are_taken(int bytes) {
    String input = "\"" + "x".repeat(bytes - 2) + "\"";
    ApiAnswer answer = api.client().submit("k", "plain", input);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.at("/input")).hasSize(bytes - 2);
  }

  /** C41. */
  @Test
  void two_thousand_jobs_at_once_are_taken() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
      var all =
          threads.invokeAll(
              IntStream.range(0, 2_000)
                  .<Callable<Integer>>mapToObj(
                      n -> () -> api.client().submit("k" + n, "plain", "{}").status())
                  .toList());
      for (var one : all) {
        assertThat(one.get()).isEqualTo(201);
      }
    }
  }

  private static byte[] spaces(int bytes) {
    byte[] body = new byte[bytes];
    Arrays.fill(body, (byte) ' ');
    return body;
  }

  private static String head() {
    return "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\nAuthorization: Bearer "
        + api.node().secret(Role.CLIENT, "raw")
        + "\r\nContent-Type: application/json\r\n";
  }
}
