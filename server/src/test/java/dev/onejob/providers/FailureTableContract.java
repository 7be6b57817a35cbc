package dev.onejob.providers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.http.RawServer.End;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * The table of failures that every adapter has to get right which makes a request over HTTP. A test
 * class implements this interface and says how its endpoint is set up and what a good answer of it
 * is. Whatever is not in a row is in doubt, and nothing is ever sent twice.
 */
public interface FailureTableContract {
  /** Ample for any answer that is meant to come. */
  Duration PATIENT = Duration.ofSeconds(20);

  /** A wait that a test waits for. */
  Duration BRIEF = Duration.ofMillis(400);

  /** The type of the adapter. */
  ProviderType type();

  /** Settings of a provider at that address, of which nothing is read but the answer. */
  ObjectNode settings(URI address);

  /** A 200 that is a result: what comes after the status line and {@code Content-Type}. */
  String good();

  /** The media type of {@link #good}. */
  String mediaType();

  /** Beginnings of {@link #good} after which it may be cut. Each lacks its end signal. */
  List<String> cuts();

  /** The job's input. */
  default byte[] input() {
    return "{\"q\":\"why?\"}".getBytes(UTF_8);
  }

  /** What a 200 is that announces more than is ever read. */
  default Class<? extends Outcome> oversize() {
    return Outcome.Failed.class;
  }

  private Provider provider(URI address, Map<String, String> more) {
    ObjectNode settings = settings(address);
    more.forEach(settings::put);
    return type()
        .create(
            "tested",
            settings,
            new ProviderContext(name -> null, Path.of("."), () -> URI.create("http://unused")));
  }

  private Outcome call(URI address, Duration patience, Map<String, String> settings)
      throws Exception {
    return ProviderCall.start(
            provider(address, settings), ProviderCall.request(input(), patience, Duration.ZERO))
        .outcome();
  }

  private Outcome answered(RawServer server) throws Exception {
    Outcome outcome = call(server.uri(), PATIENT, Map.of());
    assertThat(submits(server)).isEqualTo(1);
    return outcome;
  }

  private static long submits(RawServer server) {
    return server.requests().stream()
        .filter(request -> request.startsWith("POST ") && !request.contains("/cancel HTTP"))
        .count();
  }

  private Outcome answered(String raw) throws Exception {
    try (RawServer server = RawServer.answering(raw)) {
      return answered(server);
    }
  }

  private String head(String fields) {
    return "HTTP/1.1 200 OK\r\nContent-Type: " + mediaType() + "\r\n" + fields + "\r\n";
  }

  private static String length(String body) {
    return "Content-Length: " + body.getBytes(UTF_8).length + "\r\n";
  }

  private static String chunk(String text) {
    int length = text.getBytes(UTF_8).length;
    return length == 0 ? "" : Integer.toHexString(length) + "\r\n" + text + "\r\n";
  }

  private static void isNotSent(Outcome outcome) {
    Outcome.Refused refused = (Outcome.Refused) outcome;
    assertThat(refused.failure().code()).isEqualTo(OnePost.CONNECT_FAILED);
    assertThat(refused.retryability()).isEqualTo(Retryability.RETRYABLE);
  }

  private static Failure doubt(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
    return ((Outcome.InDoubt) outcome).reason();
  }

  @Test
  default void a_good_answer_is_a_result_however_it_is_framed() throws Exception {
    String good = good();
    int middle = good.length() / 2;
    String chunks = chunk(good.substring(0, middle)) + chunk(good.substring(middle));
    assertThat(answered(head(length(good)) + good)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(answered(head("") + good)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(answered(head("Transfer-Encoding: chunked\r\n") + chunks + "0\r\n\r\n"))
        .isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  default void a_refused_connection_sent_nothing() throws Exception {
    URI closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    isNotSent(call(closed, PATIENT, Map.of()));
  }

  @Test
  default void a_name_that_is_not_found_sent_nothing() throws Exception {
    isNotSent(call(URI.create("http://no-such-host.invalid"), PATIENT, Map.of()));
  }

  @Test
  default void a_failed_handshake_sent_nothing() throws Exception {
    try (RawServer plain = RawServer.answering(400, "")) {
      URI tls = URI.create(plain.uri().toString().replace("http:", "https:"));
      isNotSent(call(tls, PATIENT, Map.of("connect_timeout", "2s")));
      assertThat(plain.requests()).isEmpty();
    }
  }

  @Test
  default void a_connection_that_is_not_answered_in_time_sent_nothing() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fill(full, waiting);
      URI uri = URI.create("http://127.0.0.1:" + full.getLocalPort());
      isNotSent(call(uri, PATIENT, Map.of("connect_timeout", "300ms")));
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
  }

  /** Nobody accepts, and once the queue is full the machine answers no more connections. */
  private static void fill(ServerSocket full, List<Socket> waiting) throws IOException {
    for (int i = 0; i < 100; i++) {
      Socket socket = new Socket();
      waiting.add(socket);
      try {
        socket.connect(new InetSocketAddress("127.0.0.1", full.getLocalPort()), 200);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
    throw new AssertionError("the queue of a socket never fills up");
  }

  @Test
  default void a_connection_that_is_reset_once_a_byte_has_left_is_doubt() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> resetAfter(server, 1));
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
      assertThat(doubt(call(uri, PATIENT, Map.of())).code()).isEqualTo(OnePost.CONNECTION_LOST);
    }
  }

  /** It depends on who is faster whether a byte may have left; both are told truly. */
  @Test
  default void a_connection_that_is_reset_at_once_was_not_made_or_is_doubt() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> resetAfter(server, 0));
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort());
      Outcome outcome = call(uri, PATIENT, Map.of());
      if (outcome instanceof Outcome.Refused) {
        isNotSent(outcome);
      } else {
        assertThat(doubt(outcome).code()).isEqualTo(OnePost.CONNECTION_LOST);
      }
    }
  }

  private static void resetAfter(ServerSocket server, int bytes) {
    try {
      Socket connection = server.accept();
      connection.getInputStream().readNBytes(bytes);
      RawServer.reset(connection);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  default void a_connection_that_ends_after_the_request_is_doubt_and_nothing_is_sent_again()
      throws Exception {
    for (RawServer.Behaviour end : List.<RawServer.Behaviour>of(Socket::close, RawServer::reset)) {
      try (RawServer server = RawServer.start(end)) {
        assertThat(doubt(answered(server)).code()).isEqualTo(OnePost.CONNECTION_LOST);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 431})
  default void a_status_that_turns_away_before_any_work_is_a_final_refusal(int status)
      throws Exception {
    String body = "{\"error\":{\"message\":\"no\"}}";
    Outcome outcome = answered(RawServer.whole(status, body));
    Outcome.Refused refused = (Outcome.Refused) outcome;
    assertThat(refused.retryability()).isEqualTo(Retryability.FINAL);
    assertThat(refused.failure().code()).isEqualTo("status-" + status);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          X-Nothing: said                                              |
          Retry-After: 12                                              | 12000
          Retry-After: 1.5                                             | 1500
          Retry-After: 7, 9                                            |
          retry-after-ms: 250                                          | 250
          Retry-After: soon                                            |
          Retry-After: 99999999999999999999999                         | 86400000
          """)
  default void a_rate_limit_is_a_refusal_for_now_and_its_wish_is_heard(String header, String millis)
      throws Exception {
    String raw = "HTTP/1.1 429 x\r\n" + header + "\r\nContent-Length: 0\r\n\r\n";
    Outcome.Refused refused = (Outcome.Refused) answered(raw);
    assertThat(refused.retryability()).isEqualTo(Retryability.RETRYABLE);
    assertThat(refused.retryAfter())
        .isEqualTo(millis == null ? null : Duration.ofMillis(Long.parseLong(millis)));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        201, 202, 204, 206, 302, 303, 304, 408, 409, 418, 421, 423, 424, 425, 428, 451, 499, 500,
        501, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524, 529, 530, 599
      })
  default void every_other_status_is_doubt(int status) throws Exception {
    assertThat(doubt(answered(RawServer.whole(status, ""))).code()).isEqualTo("status-" + status);
    assertThat(answered(RawServer.whole(status, good()))).isInstanceOf(Outcome.InDoubt.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  default void a_redirect_is_not_followed(int status) throws Exception {
    try (RawServer elsewhere = RawServer.answering(200, good())) {
      String location = "Location: " + elsewhere.uri() + "\r\nContent-Length: 0\r\n\r\n";
      assertThat(answered("HTTP/1.1 " + status + " x\r\n" + location))
          .isInstanceOfAny(Outcome.Refused.class, Outcome.InDoubt.class);
      assertThat(elsewhere.requests()).isEmpty();
    }
  }

  @Test
  default void an_answer_that_is_cut_short_is_doubt_wherever_it_is_cut() throws Exception {
    String good = good();
    for (String part : cuts()) {
      assertThat(good).startsWith(part).isNotEqualTo(part);
      assertThat(answered(head(length(good)) + part))
          .as("cut after: %s", part)
          .isInstanceOf(Outcome.InDoubt.class);
      assertThat(answered(head("Transfer-Encoding: chunked\r\n") + chunk(part)))
          .as("chunks cut after: %s", part)
          .isInstanceOf(Outcome.InDoubt.class);
      assertThat(answered(head("") + part))
          .as("closed after: %s", part)
          .isInstanceOf(Outcome.InDoubt.class);
      assertThat(answered(head(length(part)) + part))
          .as("ended, without its end signal, after: %s", part)
          .isInstanceOf(Outcome.InDoubt.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "<html><body>502 Bad Gateway</body></html>",
        "{}",
        "[]",
        "null",
        "\"text\"",
        "{\"choices\":[]}",
        "{\"error\":{\"code\":\"mystery\"}}",
        "{\"error\":{\"type\":\"overloaded_error\"}}",
        "{\"error\":{\"type\":\"api_error\"}}",
        "{\"error\":\"internal\"}",
        "{\"a\":1,\"a\":2}",
        "{\"unfinished\":",
        "\u0000\u0001",
      })
  default void a_200_that_is_not_recognised_is_doubt(String body) throws Exception {
    assertThat(answered(RawServer.whole(200, body))).isInstanceOf(Outcome.InDoubt.class);
    assertThat(answered(head(length(body)) + body)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  default void a_200_with_an_error_of_before_any_work_is_a_refusal() throws Exception {
    String body = "{\"error\":{\"code\":\"unauthorized\"}}";
    assertThat(answered(RawServer.whole(200, body))).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  default void an_answer_that_announces_too_much_is_not_read() throws Exception {
    assertThat(answered(head("Content-Length: 5000000000\r\n"))).isInstanceOf(oversize());
    String failed = "HTTP/1.1 500 x\r\nContent-Length: 5000000000\r\n\r\n";
    assertThat(doubt(answered(failed)).code()).isEqualTo("status-500");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/2 200\r\n\r\n",
        "nonsense\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
      })
  default void what_is_not_plain_http_is_doubt(String raw) throws Exception {
    assertThat(doubt(answered(raw)).code()).isEqualTo(OnePost.UNREADABLE_ANSWER);
  }

  @Test
  default void silence_is_doubt_when_the_patience_is_over() throws Exception {
    try (RawServer server = RawServer.start(connection -> {})) {
      assertThat(doubt(call(server.uri(), BRIEF, Map.of())).code()).isEqualTo(OnePost.TIMEOUT);
      assertThat(submits(server)).isEqualTo(1);
    }
  }

  @Test
  default void silence_before_the_first_byte_has_a_timeout_of_its_own() throws Exception {
    try (RawServer server = RawServer.start(connection -> {})) {
      Outcome outcome = call(server.uri(), PATIENT, Map.of("first_byte_timeout", "300ms"));
      assertThat(doubt(outcome).code()).isEqualTo(OnePost.FIRST_BYTE_TIMEOUT);
      assertThat(submits(server)).isEqualTo(1);
    }
  }

  @Test
  default void silence_in_the_middle_of_an_answer_has_a_timeout_of_its_own() throws Exception {
    String begun = head(length(good())) + cuts().getLast();
    RawServer.Behaviour stalls = connection -> RawServer.write(connection, begun, End.KEEP);
    try (RawServer server = RawServer.start(stalls)) {
      Outcome outcome = call(server.uri(), PATIENT, Map.of("silence_timeout", "300ms"));
      assertThat(doubt(outcome).code()).isEqualTo(OnePost.SILENCE_TIMEOUT);
      assertThat(submits(server)).isEqualTo(1);
    }
  }
}
