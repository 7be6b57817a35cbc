package dev.onejob.providers.openai;

import static dev.onejob.providers.openai.ChatStream.DONE;
import static dev.onejob.providers.openai.ChatStream.chunk;
import static dev.onejob.providers.openai.ChatStream.event;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Limits;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class OpenAiChatStreamTest {
  private static final String SAYS_X = chunk("{\"content\":\"x\"}", null);
  private static final String STOPS = chunk("{}", "stop");

  private List<String> models = List.of();

  @Test
  void the_pieces_of_a_stream_are_the_result_and_its_usage_the_cost() throws Exception {
    Outcome.Succeeded done =
        (Outcome.Succeeded) streamed("text", String.join("", ChatStream.events()));
    assertThat(new String(done.result().bytes(), UTF_8)).isEqualTo("because");
    assertThat(done.cost()).isEqualTo("{\"prompt_tokens\":5,\"completion_tokens\":2}");
    assertThat(done.usage()).isEqualTo(new Usage(5L, 2L, "m"));
    assertThat(models).containsExactly("m");
  }

  @Test
  void a_stream_is_asked_for_with_its_usage() throws Exception {
    try (RawServer server = RawServer.answering(500, "")) {
      call(server, "text");
      assertThat(server.requests().getFirst())
          .contains("\"stream\":true,\"stream_options\":{\"include_usage\":true}")
          .doesNotContain("Accept-Encoding: gzip");
    }
  }

  @Test
  void nothing_after_the_end_signal_is_waited_for() throws Exception {
    String good = String.join("", ChatStream.events());
    String raw = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + good;
    RawServer.Behaviour staysOpen =
        connection -> RawServer.write(connection, raw, RawServer.End.KEEP);
    try (RawServer server = RawServer.start(staysOpen)) {
      assertThat(call(server, "text")).isInstanceOf(Outcome.Succeeded.class);
    }
  }

  @Test
  void an_endpoint_that_answers_whole_all_the_same_is_understood() throws Exception {
    String whole =
        "{\"model\":\"m\",\"choices\":[{\"finish_reason\":\"stop\","
            + "\"message\":{\"content\":\"x\"}}]}";
    try (RawServer server = RawServer.answering(200, whole)) {
      assertThat(call(server, "text")).isInstanceOf(Outcome.Succeeded.class);
    }
  }

  @Test
  void another_model_that_answers_is_named_and_noted() throws Exception {
    String other = String.join("", ChatStream.events()).replace("\"m\"", "\"m-mini\"");
    Outcome.Succeeded done = (Outcome.Succeeded) streamed("text", other);
    assertThat(done.cost()).contains("\"answering_model\":\"m-mini\"");
    assertThat(models).containsExactly("m-mini");
  }

  @ParameterizedTest
  @CsvSource({
    "length, truncated",
    "content_filter, content-filtered",
    "tool_calls, no-content",
    "mystery, finish-reason-unknown",
  })
  void a_stream_that_ends_otherwise_has_failed(String finish, String code) throws Exception {
    Outcome.Failed failed = (Outcome.Failed) streamed("text", SAYS_X + chunk("{}", finish) + DONE);
    assertThat(failed.failure().code()).isEqualTo(code);
  }

  @Test
  void a_model_that_declines_in_a_stream_has_failed() throws Exception {
    String declines =
        chunk("{\"refusal\":\"I will \"}", null) + chunk("{\"refusal\":\"not\"}", null);
    Outcome.Failed failed = (Outcome.Failed) streamed("text", declines + STOPS + DONE);
    assertThat(failed.failure().message()).contains("I will not");
  }

  @Test
  void half_of_a_pair_is_no_text_and_no_json_is_no_json() throws Exception {
    String half = chunk("{\"content\":\"\\ud800\"}", null) + STOPS + DONE;
    assertThat(code(streamed("text", half))).isEqualTo(Failure.RESULT_INVALID);
    assertThat(code(streamed("json", SAYS_X + STOPS + DONE))).isEqualTo(Failure.RESULT_INVALID);
    String pair =
        chunk("{\"content\":\"\\ud83d\"}", null) + chunk("{\"content\":\"\\ude00\"}", null);
    Outcome.Succeeded whole = (Outcome.Succeeded) streamed("text", pair + STOPS + DONE);
    assertThat(new String(whole.result().bytes(), UTF_8)).isEqualTo("\ud83d\ude00");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":null}]}\n\n",
        "data: {\"choices\":[]}\n\n",
        "data: {\"object\":\"unheard-of\"}\n\n",
        "data: <html>\n\n",
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n"
            + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
      })
  void a_stream_that_does_not_say_all_that_makes_an_answer_is_doubt(String events)
      throws Exception {
    assertThat(streamed("text", events + DONE)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void an_error_that_a_stream_begins_with_means_what_it_says() throws Exception {
    String limited = event("{\"error\":{\"code\":\"rate_limit_exceeded\"}}");
    Outcome.Refused refused = (Outcome.Refused) streamed("text", limited);
    assertThat(refused.retryability()).isEqualTo(Retryability.RETRYABLE);
    assertThat(streamed("text", event("{\"error\":{\"code\":\"mystery\"}}")))
        .isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void an_error_after_the_model_began_is_doubt_whatever_it_says() throws Exception {
    String limited = event("{\"error\":{\"code\":\"rate_limit_exceeded\"}}");
    assertThat(streamed("text", SAYS_X + limited + DONE)).isInstanceOf(Outcome.InDoubt.class);
  }

  /** The limits of what is read, a filter's report and a usage are events of the work too. */
  @Test
  void an_error_after_any_event_is_doubt_whatever_it_says() throws Exception {
    String limited = event("{\"error\":{\"code\":\"rate_limit_exceeded\"}}");
    String filters = event("{\"choices\":[],\"prompt_filter_results\":[]}");
    String deep = event("[".repeat(500) + "]".repeat(500));
    assertThat(streamed("text", filters + limited)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(streamed("text", deep + limited)).isInstanceOf(Outcome.InDoubt.class);
    String beside =
        event(
            "{\"error\":{\"code\":\"rate_limit_exceeded\"},"
                + "\"choices\":[{\"delta\":{\"content\":\"x\"}}]}");
    assertThat(streamed("text", beside)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void a_stream_larger_than_a_result_has_failed_once_it_has_ended_and_not_before()
      throws Exception {
    String piece = chunk("{\"content\":\"" + "x".repeat(1 << 20) + "\"}", null);
    String large = piece.repeat(Limits.RESULT_BYTES_MAX / (1 << 20) + 2);
    assertThat(code(streamed("text", large + STOPS + DONE))).isEqualTo(Failure.RESULT_TOO_LARGE);
    assertThat(streamed("text", large + STOPS)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void an_event_that_is_nested_too_deep_is_no_result_once_the_stream_has_ended() throws Exception {
    String deep = event("[".repeat(500) + "]".repeat(500));
    assertThat(code(streamed("text", SAYS_X + deep + STOPS + DONE)))
        .isEqualTo(Failure.RESULT_INVALID);
    assertThat(streamed("text", SAYS_X + deep + STOPS)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void a_stream_has_no_whole_that_could_be_the_result() {
    assertThatThrownBy(() -> provider(URI.create("http://h"), "whole"))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining("/result");
  }

  @ParameterizedTest
  @CsvSource({"connect_timeout, soon", "first_byte_timeout, 0s", "silence_timeout, 25h"})
  void a_timeout_that_is_none_is_named(String name, String value) {
    ObjectNode settings = settings(URI.create("http://h"), "text").put(name, value);
    assertThatThrownBy(() -> new OpenAiChatType().create("chat", settings, context()))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageStartingWith("/" + name);
  }

  private static String code(Outcome outcome) {
    return ((Outcome.Failed) outcome).failure().code();
  }

  private Outcome streamed(String result, String events) throws Exception {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    try (RawServer server = RawServer.answering(head + events)) {
      Outcome outcome = call(server, result);
      assertThat(server.requests()).hasSize(1);
      return outcome;
    }
  }

  private Outcome call(RawServer server, String result) throws Exception {
    ProviderCall call =
        ProviderCall.start(
            provider(server.uri(), result),
            ProviderCall.request("{}".getBytes(UTF_8), Duration.ofSeconds(20), Duration.ZERO));
    Outcome outcome = call.outcome();
    models = call.watch().models();
    return outcome;
  }

  private static Provider provider(URI address, String result) {
    return new OpenAiChatType().create("chat", settings(address, result), context());
  }

  private static ObjectNode settings(URI address, String result) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.put("base_url", address.toString()).put("model", "m").put("prompt", "p");
    return settings.put("stream", true).put("result", result);
  }

  private static ProviderContext context() {
    return new ProviderContext(name -> null, Path.of("."), () -> URI.create("http://unused"));
  }
}
