package dev.onejob.providers.http;

import static dev.onejob.providers.http.RawServer.End.CLOSE;
import static dev.onejob.providers.http.RawServer.End.KEEP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Limits;
import dev.onejob.testkit.RecordingWatch;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OnePostTest {
  private static final Duration AMPLE = Duration.ofSeconds(90);
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final RecordingWatch watch = new RecordingWatch();

  @Test
  void brings_a_whole_answer_and_sends_ids_and_body_as_they_are() throws Exception {
    try (RawServer server = RawServer.answering(200, "{\"ok\":true}")) {
      Reply.Answer answer = (Reply.Answer) send(server.uri(), AMPLE);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("{\"ok\":true}");
      assertThat(server.requests()).hasSize(1);
      assertThat(server.requests().getFirst())
          .startsWith("POST /x?y=1 HTTP/1.1\r\n")
          .contains("\r\nX-Id: 7\r\n", "\r\nConnection: close\r\n")
          .endsWith("\r\n\r\n{\"input\":1}");
      assertThat(watch.handOvers()).isEqualTo(1);
    }
  }

  @Test
  void the_trace_context_of_the_attempt_goes_along_where_there_is_one() throws Exception {
    String context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    try (RawServer server = RawServer.answering(200, "{}")) {
      OnePost.send(post(server.uri()), AMPLE, new RecordingWatch(context), head -> {});
      OnePost.send(post(server.uri()), AMPLE, new RecordingWatch(), head -> {});

      assertThat(server.requests().getFirst()).contains("\r\ntraceparent: " + context + "\r\n");
      assertThat(server.requests().getLast()).doesNotContain("traceparent");
    }
  }

  @Test
  void nothing_was_sent_where_nobody_listens() throws Exception {
    URI closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
    assertThat(send(closed, AMPLE)).isInstanceOf(Reply.NotSent.class);
    assertThat(watch.handOvers()).isZero();
  }

  @Test
  void nothing_was_sent_to_a_name_that_does_not_exist() throws Exception {
    assertThat(send(URI.create("http://no-such-host.invalid"), AMPLE))
        .isInstanceOf(Reply.NotSent.class);
  }

  @Test
  void nothing_was_sent_where_the_server_speaks_no_tls() throws Exception {
    try (ServerSocket plain = new ServerSocket(0)) {
      Thread.ofVirtual().start(() -> answerPlainly(plain));
      URI tls = URI.create("https://127.0.0.1:" + plain.getLocalPort());
      assertThat(send(tls, AMPLE)).isInstanceOf(Reply.NotSent.class);
    }
  }

  @Test
  void nothing_is_sent_over_a_connection_that_comes_after_the_doubt() throws Exception {
    try (RawServer server = RawServer.answering(200, "{}")) {
      watch.withhold();
      Reply.NotSent reply = (Reply.NotSent) send(server.uri(), AMPLE);
      assertThat(reply.why().code()).isEqualTo(OnePost.NOT_SENT);
      assertThat(watch.handOvers()).isZero();
      assertThat(server.requests()).isEmpty();
    }
  }

  private static void answerPlainly(ServerSocket server) {
    try (Socket connection = server.accept()) {
      RawServer.write(connection, RawServer.whole(400, ""), KEEP);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_server_that_reads_all_and_closes_without_a_byte_saw_one_request() throws Exception {
    try (RawServer server = RawServer.start(Socket::close)) {
      assertThat(send(server.uri(), AMPLE)).isInstanceOf(Reply.NoAnswer.class);
      assertThat(server.requests()).hasSize(1);
      assertThat(watch.handOvers()).isEqualTo(1);
    }
  }

  @Test
  void a_server_that_reads_all_and_resets_saw_one_request() throws Exception {
    try (RawServer server = RawServer.start(RawServer::reset)) {
      assertThat(send(server.uri(), AMPLE)).isInstanceOf(Reply.NoAnswer.class);
      assertThat(server.requests()).hasSize(1);
    }
  }

  /** Case C54, its second half. */
  @Test
  void a_kept_connection_that_the_server_closes_is_never_used_again() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    RawServer.Behaviour closesIdleOnes =
        connection -> {
          boolean keep = first.getAndSet(false);
          RawServer.write(connection, keep ? RawServer.whole(200, "{}") : "", keep ? KEEP : CLOSE);
        };
    try (RawServer server = RawServer.start(closesIdleOnes)) {
      assertThat(send(server.uri(), AMPLE)).isInstanceOf(Reply.Answer.class);
      assertThat(OnePost.send(post(server.uri()), AMPLE, new RecordingWatch(), head -> {}))
          .isInstanceOf(Reply.NoAnswer.class);
      assertThat(server.requests()).hasSize(2);
    }
  }

  @Test
  void silence_ends_with_the_patience() throws Exception {
    try (RawServer server = RawServer.start(connection -> {})) {
      Reply.NoAnswer reply = (Reply.NoAnswer) send(server.uri(), SHORT);
      assertThat(reply.why().code()).isEqualTo(OnePost.TIMEOUT);
      await().until(() -> server.requests().size() == 1);
    }
  }

  @Test
  void a_server_that_does_not_read_cannot_hold_the_caller() throws Exception {
    try (ServerSocket deaf = new ServerSocket(0)) {
      byte[] large = new byte[32 << 20];
      URI uri = URI.create("http://127.0.0.1:" + deaf.getLocalPort() + "/");
      Reply reply = OnePost.send(new Post(uri, Map.of(), large), SHORT, watch, head -> {});
      assertThat(((Reply.NoAnswer) reply).why().code()).isEqualTo(OnePost.TIMEOUT);
      assertThat(watch.handOvers()).isZero();
    }
  }

  @Test
  void a_stop_closes_the_connection() throws Exception {
    try (RawServer server = RawServer.start(connection -> {})) {
      CompletableFuture<Reply> reply =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return send(server.uri(), AMPLE);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      await().until(() -> watch.handOvers() == 1);
      watch.stop();
      assertThat(((Reply.NoAnswer) reply.get()).why().code()).isEqualTo(OnePost.STOP_ASKED);
    }
  }

  @Test
  void a_refusal_that_comes_before_all_was_sent_is_heard() throws Exception {
    try (ServerSocket server = new ServerSocket(0)) {
      Thread.ofVirtual().start(() -> refuseEarly(server));
      URI uri = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
      Reply reply = OnePost.send(new Post(uri, Map.of(), new byte[8]), AMPLE, watch, head -> {});
      assertThat(((Reply.Answer) reply).head().status()).isEqualTo(413);
    }
  }

  private static void refuseEarly(ServerSocket server) {
    try (Socket connection = server.accept()) {
      RawServer.write(connection, RawServer.whole(413, ""), KEEP);
      connection.shutdownOutput();
      connection.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void chunks_and_interim_answers_are_understood() throws Exception {
    String raw =
        "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "3;a=b\r\n{\"a\r\n4\r\n\":1}\r\n0\r\nTrailer: t\r\n\r\n";
    try (RawServer server = RawServer.answering(raw)) {
      Reply.Answer answer = (Reply.Answer) send(server.uri(), AMPLE);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "ICY 200 OK\r\n\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Le"
      })
  void a_broken_answer_is_no_answer(String raw) throws Exception {
    try (RawServer server = RawServer.answering(raw)) {
      assertThat(send(server.uri(), AMPLE)).isInstanceOf(Reply.NoAnswer.class);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void an_endless_head_is_no_answer() throws Exception {
    String endless = "HTTP/1.1 200 OK\r\nX: " + "y".repeat(100_000);
    try (RawServer server = RawServer.answering(endless)) {
      assertThat(send(server.uri(), AMPLE)).isInstanceOf(Reply.NoAnswer.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5000000000\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n4000000000\r\n",
      })
  void an_answer_that_announces_too_much_is_not_read(String announcement) throws Exception {
    try (RawServer server = RawServer.answering("HTTP/1.1 200 OK\r\n" + announcement)) {
      assertThat(send(server.uri(), AMPLE)).isInstanceOf(Reply.TooLarge.class);
    }
  }

  @Test
  void an_answer_of_unknown_length_is_read_up_to_the_limit() throws Exception {
    String endless = "HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(Limits.BODY_BYTES_MAX + 1);
    try (RawServer server = RawServer.answering(endless)) {
      assertThat(send(server.uri(), AMPLE)).isInstanceOf(Reply.TooLarge.class);
    }
  }

  @Test
  void a_redirect_is_an_answer_and_is_not_followed() throws Exception {
    try (RawServer elsewhere = RawServer.answering(200, "{}");
        RawServer server =
            RawServer.answering(
                "HTTP/1.1 307 x\r\nLocation: "
                    + elsewhere.uri()
                    + "\r\nContent-Length: 0\r\n\r\n")) {
      assertThat(((Reply.Answer) send(server.uri(), AMPLE)).head().status()).isEqualTo(307);
      assertThat(elsewhere.requests()).isEmpty();
    }
  }

  @Test
  void a_header_cannot_break_out_of_its_line() {
    URI uri = URI.create("http://127.0.0.1/");
    assertThatThrownBy(() -> new Post(uri, Map.of("X-Key", "secret\r\nEvil: 1"), new byte[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("X-Key")
        .hasMessageNotContaining("secret");
  }

  private Reply send(URI uri, Duration patience) throws InterruptedException {
    return OnePost.send(post(uri), patience, watch, head -> {});
  }

  private static Post post(URI uri) {
    byte[] body = "{\"input\":1}".getBytes(StandardCharsets.UTF_8);
    return new Post(URI.create(uri + "/x?y=1"), Map.of("X-Id", "7"), body);
  }
}
