package dev.onejob.providers.anthropic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.http.RawServer.End;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * A peer that answers as Anthropic did on 26 January 2026, by a recording of a real exchange:
 * {@code llms/anthropic/testdata/TestAnthropic_GenerateContentWithStreaming.httprr} of the public
 * project langchaingo (MIT licence). From there are the order of the events, the members that each
 * of them has and the order of these, the blanks with which lines are filled up, the place of the
 * ping, the header fields, and that a dated name answers for an undated one. Ids, names, figures
 * and words are ours. The recording does not say how the answer was cut into chunks: here, nowhere
 * at the end of an event.
 */
final class AsAnthropicAnswersTest {
  private static final String ASKED = "claude-x";
  private static final String ANSWERING = "claude-x-20260101";

  private static final List<String> EVENTS =
      List.of(
          """
          event: message_start
          data: {"type":"message_start","message":{"model":"%s","id":"msg_01Onejob",\
          "type":"message","role":"assistant","content":[],"stop_reason":null,\
          "stop_sequence":null,"usage":{"input_tokens":21,"cache_creation_input_tokens":0,\
          "cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,\
          "ephemeral_1h_input_tokens":0},"output_tokens":1,"service_tier":"standard"}}     \s }

          """
              .formatted(ANSWERING),
          """
          event: content_block_start
          data: {"type":"content_block_start","index":0,"content_block":{"type":"text",\
          "text":""}}

          """
              .replace("\"\"}}", "\"\"}        }"),
          """
          event: ping
          data: {"type": "ping"}

          """,
          """
          event: content_block_delta
          data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta",\
          "text":"red\\ngreen"}}

          """,
          """
          event: content_block_delta
          data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta",\
          "text":"\\nblue"}}

          """,
          """
          event: content_block_stop
          data: {"type":"content_block_stop","index":0}

          """,
          """
          event: message_delta
          data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},\
          "usage":{"input_tokens":21,"cache_creation_input_tokens":0,\
          "cache_read_input_tokens":0,"output_tokens":9}          }

          """,
          """
          event: message_stop
          data: {"type":"message_stop"            }

          """);

  private static final String HEAD =
      """
      HTTP/1.1 200 OK
      Transfer-Encoding: chunked
      Anthropic-Organization-Id: 00000000-0000-0000-0000-000000000000
      Anthropic-Ratelimit-Requests-Limit: 50
      Anthropic-Ratelimit-Requests-Remaining: 49
      Anthropic-Ratelimit-Requests-Reset: 2026-01-26T23:34:26Z
      Cache-Control: no-cache
      Cf-Cache-Status: DYNAMIC
      Content-Type: text/event-stream; charset=utf-8
      Date: Mon, 26 Jan 2026 23:34:26 GMT
      Request-Id: req_01Onejob
      Server: cloudflare
      Strict-Transport-Security: max-age=31536000; includeSubDomains; preload
      X-Robots-Tag: none

      """
          .replace("\n", "\r\n");

  /** Chunks that end in the middle of events, and of words. */
  private static final int CHUNK = 37;

  private static String chunked(String body) {
    StringBuilder chunks = new StringBuilder();
    for (int at = 0; at < body.length(); at += CHUNK) {
      String part = body.substring(at, Math.min(body.length(), at + CHUNK));
      chunks.append(Integer.toHexString(part.length())).append("\r\n").append(part).append("\r\n");
    }
    return chunks.toString();
  }

  /** Answers what is asked for as in the recording, and turns away anything else. */
  private static void answer(RawServer server, Socket connection, String answer)
      throws IOException {
    String request = server.requests().getLast();
    boolean asRecorded =
        request.startsWith("POST /v1/messages HTTP/1.1\r\n")
            && request.contains("\r\nanthropic-version: 2023-06-01\r\n")
            && request.contains("\"stream\":true")
            && request.contains("\"max_tokens\":100")
            && request.contains("\"model\":\"" + ASKED + "\"");
    String said =
        asRecorded
            ? answer
            : RawServer.whole(
                400,
                """
                {"type":"error","error":{"type":"invalid_request_error","message":"not so"}}
                """);
    RawServer.write(connection, said, End.CLOSE);
  }

  private static ProviderCall call(String answer) throws Exception {
    RawServer[] self = new RawServer[1];
    try (RawServer server = RawServer.start(to -> answer(self[0], to, answer))) {
      self[0] = server;
      ProviderCall call =
          ProviderCall.start(
              provider(server.uri()),
              ProviderCall.request(
                  "{\"q\":\"Three colours.\"}".getBytes(UTF_8),
                  Duration.ofSeconds(20),
                  Duration.ZERO));
      call.outcome();
      assertThat(server.requests()).hasSize(1);
      return call;
    }
  }

  private static Provider provider(URI address) {
    ObjectNode settings = AnthropicMessagesTest.settings(address).put("stream", true);
    return AnthropicMessagesTest.provider(settings.put("model", ASKED));
  }

  @Test
  void the_words_of_the_stream_are_the_result_and_its_last_figures_the_usage() throws Exception {
    ProviderCall call = call(HEAD + chunked(String.join("", EVENTS)) + "0\r\n\r\n");
    Outcome outcome = call.outcome();
    assertThat(outcome).isInstanceOf(Outcome.Succeeded.class);
    Outcome.Succeeded done = (Outcome.Succeeded) outcome;
    assertThat(new String(done.result().bytes(), UTF_8)).isEqualTo("red\ngreen\nblue");
    assertThat(done.usage()).isEqualTo(new Usage(21L, 9L, ANSWERING));
    assertThat(call.watch().models()).containsExactly(ANSWERING);
    assertThat(Optional.ofNullable(done.cost())).get().asString().contains(ANSWERING);
  }

  /** Whatever a proxy in between makes of the cut: also a body that ends in good order. */
  @Test
  void the_same_stream_without_its_last_event_is_doubt_wherever_it_ends() throws Exception {
    for (int events = 0; events < EVENTS.size(); events++) {
      String begun = chunked(String.join("", EVENTS.subList(0, events)));
      for (String end : List.of("", "0\r\n\r\n")) {
        assertThat(call(HEAD + begun + end).outcome())
            .as("%d events, then %s", events, end.isEmpty() ? "a cut" : "the end of the body")
            .isInstanceOf(Outcome.InDoubt.class);
      }
    }
  }
}
