package dev.onejob.providers;

import static dev.onejob.providers.ConnectingContract.doubt;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.http.RawServer.End;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of failures that every adapter has to get right which makes a request over HTTP. A test
 * class implements this interface and says how its endpoint is set up, what a good answer of it is,
 * and where its protocol says more than the table. Whatever is not in a row is in doubt, and
 * nothing is ever sent twice.
 */
public interface FailureTableContract extends ConnectingContract {
  /** A wait that a test waits for. */
  Duration BRIEF = Duration.ofSeconds(1);

  /** Statuses that turn a request away for good, before any work. */
  Set<Integer> REFUSED =
      Set.of(400, 401, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 422, 431);

  /** A 200 that is a result: what comes after the status line and {@code Content-Type}. */
  String good();

  /** The media type of {@link #good}. */
  String mediaType();

  /** Beginnings of {@link #good} after which it may be cut. Each lacks its end signal. */
  List<String> cuts();

  /** What a 200 is that announces more than is ever read. */
  default Class<? extends Outcome> oversize() {
    return Outcome.Failed.class;
  }

  /** Statuses by which this endpoint says otherwise than the table. */
  default Map<Integer, Class<? extends Outcome>> ownMeanings() {
    return Map.of();
  }

  /** Whether {@link #good} under this status is a result. */
  default boolean isGoodUnder(int status) {
    return status == 200;
  }

  /** What an error of before any work is that comes inside a 200. */
  default Class<? extends Outcome> unauthorised() {
    return Outcome.Refused.class;
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

  /** Case C54. */
  @Test
  default void a_connection_that_ends_after_the_request_is_doubt_and_nothing_is_sent_again()
      throws Exception {
    for (RawServer.Behaviour end : List.<RawServer.Behaviour>of(Socket::close, RawServer::reset)) {
      try (RawServer server = RawServer.start(end)) {
        assertThat(doubt(answered(server)).code()).isEqualTo(OnePost.CONNECTION_LOST);
      }
    }
  }

  /** Each of them, and nothing but the listed ones is a refusal. */
  @Test
  default void every_status_of_4xx_and_5xx_means_what_the_table_says() throws Exception {
    String body = "{\"error\":{\"message\":\"no\"}}";
    AtomicInteger status = new AtomicInteger();
    try (RawServer server =
        RawServer.start(
            to -> RawServer.write(to, RawServer.whole(status.get(), body), End.CLOSE))) {
      Provider provider = provider(server.uri(), Map.of());
      for (int each = 400; each < 600; each++) {
        status.set(each);
        Outcome outcome = call(provider, PATIENT);
        Class<? extends Outcome> usual =
            each == 429 || REFUSED.contains(each) ? Outcome.Refused.class : Outcome.InDoubt.class;
        assertThat(outcome)
            .as("status %d", each)
            .isInstanceOf(ownMeanings().getOrDefault(each, usual));
        assertThat(code(outcome)).isEqualTo("status-" + each);
        if (outcome instanceof Outcome.Refused refused) {
          assertThat(refused.retryability())
              .isEqualTo(each == 429 ? Retryability.RETRYABLE : Retryability.FINAL);
        }
        assertThat(submits(server)).isEqualTo(each - 399);
      }
    }
  }

  private static String code(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Refused refused -> refused.failure().code();
      case Outcome.Failed failed -> failed.failure().code();
      case Outcome.InDoubt doubt -> doubt.reason().code();
      case Outcome.Succeeded s -> throw new AssertionError("a result: " + s);
      case Outcome.Stopped s -> throw new AssertionError("stopped: " + s);
    };
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

  /** Whatever its body would be under a 200. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        201, 202, 203, 204, 206, 302, 303, 304, 408, 409, 418, 421, 423, 424, 425, 428, 451, 499,
        500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524, 529, 530, 599
      })
  default void every_other_status_is_doubt(int status) throws Exception {
    assertThat(answered(RawServer.whole(status, ""))).isInstanceOf(Outcome.InDoubt.class);
    AtomicInteger next = new AtomicInteger(status); // and what is asked afterwards is a plain 200
    try (RawServer server =
        RawServer.start(
            to -> RawServer.write(to, RawServer.whole(next.getAndSet(200), good()), End.CLOSE))) {
      assertThat(answered(server))
          .isInstanceOf(isGoodUnder(status) ? Outcome.Succeeded.class : Outcome.InDoubt.class);
    }
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

  /** Case C46. */
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

  /** Case C46. */
  @Test
  default void a_200_with_an_error_of_before_any_work_is_no_result() throws Exception {
    String body = "{\"error\":{\"code\":\"unauthorized\"}}";
    assertThat(answered(RawServer.whole(200, body))).isInstanceOf(unauthorised());
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

  /** Case C10. */
  @Test
  default void silence_is_doubt_when_the_patience_is_over() throws Exception {
    try (RawServer server = RawServer.start(connection -> {})) {
      assertThat(doubt(call(server.uri(), BRIEF, Map.of())).code()).isEqualTo(OnePost.TIMEOUT);
      await().until(() -> submits(server) == 1);
    }
  }

  @Test
  default void silence_before_the_first_byte_has_a_timeout_of_its_own() throws Exception {
    try (RawServer server = RawServer.start(connection -> {})) {
      Outcome outcome = call(server.uri(), PATIENT, Map.of("first_byte_timeout", "300ms"));
      assertThat(doubt(outcome).code()).isEqualTo(OnePost.FIRST_BYTE_TIMEOUT);
      await().until(() -> submits(server) == 1);
    }
  }

  @Test
  default void silence_in_the_middle_of_an_answer_has_a_timeout_of_its_own() throws Exception {
    String begun = head(length(good())) + cuts().getLast();
    RawServer.Behaviour stalls = connection -> RawServer.write(connection, begun, End.KEEP);
    try (RawServer server = RawServer.start(stalls)) {
      Outcome outcome = call(server.uri(), PATIENT, Map.of("silence_timeout", "300ms"));
      assertThat(doubt(outcome).code()).isEqualTo(OnePost.SILENCE_TIMEOUT);
      await().until(() -> submits(server) == 1);
    }
  }
}
