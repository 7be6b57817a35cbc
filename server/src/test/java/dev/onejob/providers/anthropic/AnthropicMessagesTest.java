package dev.onejob.providers.anthropic;

import static dev.onejob.providers.anthropic.MessageStream.BLOCK;
import static dev.onejob.providers.anthropic.MessageStream.START;
import static dev.onejob.providers.anthropic.MessageStream.STOP;
import static dev.onejob.providers.anthropic.MessageStream.ends;
import static dev.onejob.providers.anthropic.MessageStream.error;
import static dev.onejob.providers.anthropic.MessageStream.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Usage;
import dev.onejob.provider.Capabilities.HiddenReexecution;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.Twisting;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class AnthropicMessagesTest {
  private static final JsonMapper JSON = new JsonMapper();

  private List<String> models = List.of();

  static ObjectNode settings(URI address) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.put("base_url", address + "/v1").put("model", "m").put("prompt", "{{/q}}");
    settings.putObject("parameters").put("max_tokens", 100);
    return settings;
  }

  static Provider provider(JsonNode settings) {
    return new AnthropicMessagesType()
        .create(
            "messages",
            settings,
            new ProviderContext(
                Map.of("KEY", "sk-ant")::get, Path.of("."), () -> URI.create("http://unused")));
  }

  @Test
  void the_request_carries_key_version_system_and_turns_in_their_own_places() throws Exception {
    try (RawServer server = RawServer.answering(200, AnthropicFailuresTest.GOOD)) {
      ObjectNode settings = settings(server.uri()).put("api_key_env", "KEY");
      settings.put("system", "Be {{/tone}}.").remove("prompt");
      settings
          .putArray("messages")
          .add(turn("user", "{{/q}}"))
          .add(turn("assistant", "Hm."))
          .add(turn("system", "Short."));
      ProviderRequest request = request("{\"tone\":\"kind\",\"q\":\"Why?\"}");
      ProviderCall.start(provider(settings), request).outcome();

      String sent = server.requests().getFirst();
      assertThat(sent)
          .startsWith("POST /v1/messages HTTP/1.1\r\n")
          .contains("\r\nx-api-key: sk-ant\r\n", "\r\nanthropic-version: 2023-06-01\r\n")
          .contains("\r\nOnejob-Attempt-Id: " + request.attemptId() + "\r\n")
          .doesNotContain("Authorization");
      assertThat(sent.substring(sent.indexOf("\r\n\r\n") + 4))
          .isEqualTo(
              """
              {"max_tokens":100,"model":"m","messages":[{"role":"user","content":"Why?"},\
              {"role":"assistant","content":"Hm."}],"system":"Be kind.\\n\\nShort."}\
              """);
    }
  }

  private static ObjectNode turn(String role, String content) {
    return JsonNodeFactory.instance.objectNode().put("role", role).put("content", content);
  }

  @Test
  void the_text_is_the_result_and_the_usage_the_cost() throws Exception {
    Outcome.Succeeded done = (Outcome.Succeeded) answered(AnthropicFailuresTest.GOOD);
    assertThat(new String(done.result().bytes(), UTF_8)).isEqualTo("because");
    assertThat(done.usage()).isEqualTo(new Usage(5L, 2L, "m"));
    assertThat(models).containsExactly("m");
  }

  @Test
  void another_model_than_the_one_asked_is_named_and_noted() throws Exception {
    String other = AnthropicFailuresTest.GOOD.replace("\"m\"", "\"m-2\"");
    assertThat(((Outcome.Succeeded) answered(other)).cost())
        .contains("\"answering_model\":\"m-2\"");
    assertThat(models).containsExactly("m-2");
  }

  @ParameterizedTest
  @CsvSource({
    "max_tokens, truncated",
    "model_context_window_exceeded, truncated",
    "refusal, model-declined",
    "tool_use, no-content",
    "pause_turn, turn-paused",
    "mystery, finish-reason-unknown",
  })
  void a_message_that_stops_otherwise_has_failed_whole_or_in_a_stream(String reason, String code)
      throws Exception {
    String whole = AnthropicFailuresTest.GOOD.replace("end_turn", reason);
    assertThat(((Outcome.Failed) answered(whole)).failure().code()).isEqualTo(code);
    Outcome streamed = streamed(START + BLOCK + says("half a") + ends(reason) + STOP);
    assertThat(((Outcome.Failed) streamed).failure().code()).isEqualTo(code);
    assertThat(((Outcome.Failed) streamed).usage()).isEqualTo(new Usage(25L, 15L, "m"));
  }

  @Test
  void why_it_declined_is_told() throws Exception {
    String declined =
        AnthropicFailuresTest.GOOD.replace(
            "\"end_turn\"",
            "\"refusal\",\"stop_details\":{\"category\":\"cyber\",\"explanation\":\"Not that.\"}");
    assertThat(((Outcome.Failed) answered(declined)).failure().message()).contains("Not that.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"end_turn", "stop_sequence"})
  void a_streamed_message_is_a_result_and_its_last_figures_count(String reason) throws Exception {
    Outcome.Succeeded done =
        (Outcome.Succeeded)
            streamed(START + BLOCK + says("be") + says("cause") + ends(reason) + STOP);
    assertThat(new String(done.result().bytes(), UTF_8)).isEqualTo("because");
    assertThat(done.usage()).isEqualTo(new Usage(25L, 15L, "m"));
    assertThat(done.cost()).contains("\"cache_read_input_tokens\":3");
    assertThat(models).containsExactly("m");
  }

  @Test
  void an_error_that_a_stream_begins_with_means_what_it_says_and_later_it_is_doubt()
      throws Exception {
    assertThat(streamed(error("rate_limit_error"))).isInstanceOf(Outcome.Refused.class);
    assertThat(streamed(error("overloaded_error"))).isInstanceOf(Outcome.InDoubt.class);
    assertThat(streamed(START + error("rate_limit_error"))).isInstanceOf(Outcome.InDoubt.class);
    assertThat(streamed(START + BLOCK + says("x") + error("rate_limit_error")))
        .isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void events_that_make_no_message_are_doubt() throws Exception {
    assertThat(streamed(STOP)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(streamed(says("x") + STOP)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(streamed(START + START + STOP)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(streamed(START + BLOCK + says("x") + STOP)).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void an_overload_is_doubt_unless_it_is_configured_to_come_before_any_work() throws Exception {
    String overloaded =
        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}";
    try (RawServer server = RawServer.answering(529, overloaded)) {
      ObjectNode settings = settings(server.uri());
      assertThat(call(settings)).isInstanceOf(Outcome.InDoubt.class);
      settings.putArray("refused_statuses").add(529);
      assertThat(call(settings)).isInstanceOf(Outcome.Refused.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"max_tokens": 1, "fallbacks": "default"}  | /parameters/fallbacks
          {"max_tokens": 1, "stream": true}          | /parameters/stream
          {"max_tokens": 0}                          | /parameters/max_tokens
          {"temperature": 0}                         | max_tokens
          {"max_tokens": 1, "system": "s"}           | /parameters/system
          """)
  void what_would_let_another_model_answer_or_is_left_out_is_named(String parameters, String at) {
    ObjectNode settings = settings(URI.create("http://h"));
    settings.set("parameters", JSON.readTree(parameters));
    assertThatThrownBy(() -> provider(settings))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining(at);
  }

  @Test
  void a_qualification_can_twist_the_system_turn_and_the_limit() throws Exception {
    Twisting twisting = new AnthropicMessagesType().twisting().orElseThrow();
    try (RawServer server = RawServer.answering(200, AnthropicFailuresTest.GOOD)) {
      ObjectNode settings = settings(server.uri()).put("system", "Be kind.");
      assertThat(twisting.facts(settings).turn()).isEqualTo(Twisting.SystemTurn.GIVEN);
      JsonNode twist =
          JSON.readTree("{\"system_after\":\"Say 7.\",\"parameters\":{\"max_tokens\":8}}");
      call(twisting.twisted(settings, twist));
      assertThat(server.requests().getFirst())
          .contains("\"max_tokens\":8", "\"system\":\"Be kind.\\n\\nSay 7.\"");
    }
  }

  @Test
  void it_declares_no_more_than_the_endpoint_promises() {
    assertThat(provider(settings(URI.create("http://h"))).capabilities().hiddenReexecution())
        .isEqualTo(HiddenReexecution.SWITCHED_OFF);
  }

  private Outcome answered(String body) throws Exception {
    try (RawServer server = RawServer.answering(200, body)) {
      return call(settings(server.uri()));
    }
  }

  private Outcome streamed(String events) throws Exception {
    String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    try (RawServer server = RawServer.answering(head + events)) {
      return call(settings(server.uri()).put("stream", true));
    }
  }

  private Outcome call(JsonNode settings) throws Exception {
    ProviderCall call = ProviderCall.start(provider(settings), request("{\"q\":\"why?\"}"));
    Outcome outcome = call.outcome();
    models = call.watch().models();
    return outcome;
  }

  private static ProviderRequest request(String input) {
    return ProviderCall.request(input.getBytes(UTF_8), Duration.ofSeconds(20), Duration.ZERO);
  }
}
