package dev.onejob.providers.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** An endpoint that is sent the job's input as the request. */
final class PassedOnTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String PASS_ON = "\"request\": \"input\", \"result\": \"whole\"";
  private static final String RESPONSES = PASS_ON + ", \"endpoint\": \"responses\"";

  private static ObjectNode settings(String base, String settings) {
    ObjectNode all = (ObjectNode) JSON.readTree("{" + settings + "}");
    return all.put("base_url", base).put("model", "m");
  }

  private static Provider provider(String base, String settings) {
    return new OpenAiChatType()
        .create(
            "chat",
            settings(base, settings),
            new ProviderContext(name -> null, Path.of("."), () -> URI.create("http://unused")));
  }

  private static Outcome call(RawServer server, String settings, String input) throws Exception {
    return ProviderCall.start(
            provider(server.uri() + "/v1/", settings),
            ProviderCall.request(input.getBytes(UTF_8), Duration.ofSeconds(20), Duration.ZERO))
        .outcome();
  }

  @Test
  void the_request_keeps_every_member_but_the_model_and_what_asks_for_a_stream() throws Exception {
    String completion = "{ \"choices\":[{\"finish_reason\":\"stop\",\"message\":{}}] }";
    try (RawServer server = RawServer.answering(200, completion)) {
      Outcome outcome =
          call(
              server,
              PASS_ON + ", \"parameters\": {\"store\": false}",
              """
              {"model":"gpt-x","n":1,"messages":[{"role":"user","content":[]}],"top_p":0.10,
               "stream":true,"stream_options":{"include_usage":true},"unheard_of":[1.50]}
              """);
      String sent = server.requests().getFirst();
      assertThat(sent.substring(sent.indexOf("\r\n\r\n") + 4))
          .isEqualTo(
              """
              {"model":"m","n":1,"messages":[{"role":"user","content":[]}],"top_p":0.10,\
              "unheard_of":[1.50],"store":false}\
              """);
      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Succeeded.class,
              it -> assertThat(it.result().bytes()).isEqualTo(completion.getBytes(UTF_8)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1}|''|{\"a\":1,\"model\":\"m\",\"store\":false}",
        "{\"store\":false}|''|{\"store\":false,\"model\":\"m\"}",
        "{\"store\":null}|''|{\"store\":false,\"model\":\"m\"}",
        "{\"store\":false}|, \"parameters\":{\"store\":true}|{\"store\":true,\"model\":\"m\"}",
      })
  void responses_are_not_stored_unless_the_operator_says_so(
      String input, String parameters, String sent) throws Exception {
    try (RawServer server = RawServer.answering(200, "{\"status\":\"completed\"}")) {
      call(server, RESPONSES + parameters, input);
      assertThat(server.requests().getFirst()).endsWith("\r\n\r\n" + sent);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"length", "content_filter", "tool_calls"})
  void an_answer_that_stops_at_the_limits_of_the_client_is_a_result(String finish)
      throws Exception {
    String completion =
        "{\"choices\":[{\"finish_reason\":\"" + finish + "\",\"message\":{\"refusal\":\"no\"}}]}";
    try (RawServer server = RawServer.answering(200, completion)) {
      assertThat(call(server, PASS_ON, "{}")).isInstanceOf(Outcome.Succeeded.class);
    }
  }

  @Test
  void what_reaches_beyond_one_answer_is_refused_unsent_and_the_reason_says_where()
      throws Exception {
    try (RawServer server = RawServer.answering(200, "{}")) {
      Outcome outcome = call(server, PASS_ON, "{\"models\":[\"cheap\"]}");
      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              it -> {
                assertThat(it.failure().code()).isEqualTo("input-unusable");
                assertThat(it.failure().message()).contains("/models: ");
                assertThat(it.retryability()).isEqualTo(Retryability.FINAL);
              });
      assertThat(server.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{\"n\":2}", "{\"background\":true}"})
  void what_asks_for_more_than_one_answer_in_one_reply_is_refused_unsent(String input)
      throws Exception {
    try (RawServer server = RawServer.answering(200, "{}")) {
      assertThat(call(server, PASS_ON, input))
          .isInstanceOfSatisfying(
              Outcome.Refused.class,
              it -> assertThat(it.failure().code()).isEqualTo("input-unusable"));
      assertThat(server.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "completed, Succeeded",
    "incomplete, Succeeded",
    "failed, Failed",
    "cancelled, Failed",
    "in_progress, InDoubt",
    "queued, InDoubt",
    "unheard_of, InDoubt"
  })
  void a_response_is_a_result_only_when_it_says_that_it_is_over(String status, String outcome)
      throws Exception {
    String body = "{\"status\":\"" + status + "\",\"error\":null,\"model\":\"m\",\"usage\":{}}";
    try (RawServer server = RawServer.answering(200, body)) {
      Outcome found = call(server, RESPONSES, "{\"model\":\"x\",\"input\":\"Hi\"}");
      assertThat(found.getClass().getSimpleName()).isEqualTo(outcome);
      assertThat(server.requests().getFirst()).startsWith("POST /v1/responses HTTP/1.1\r\n");
    }
  }

  @Test
  void a_response_that_failed_is_failed_whatever_error_stands_beside_it() throws Exception {
    String body =
        """
        {"id":"r","status":"failed","error":{"code":"rate_limit_exceeded"},"model":"m-2",
         "usage":{"input_tokens":3,"output_tokens":5}}
        """;
    try (RawServer server = RawServer.answering(200, body)) {
      assertThat(call(server, RESPONSES, "{}"))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              it -> {
                assertThat(it.failure().code()).isEqualTo("response-not-made");
                assertThat(it.usage().inputTokens()).isEqualTo(3);
                assertThat(it.usage().model()).isEqualTo("m-2");
              });
    }
  }

  @Test
  void a_stream_of_what_is_passed_on_is_refused_with_the_reason() {
    assertThatThrownBy(() -> provider("http://p", PASS_ON + ", \"stream\": true"))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining("/stream: with request: input the answer is kept whole");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"request\": \"input\"",
        "\"request\": \"input\", \"result\": \"text\"",
        "\"request\": \"input\", \"result\": \"whole\", \"prompt\": \"p\"",
        "\"request\": \"input\", \"result\": \"whole\", \"system\": \"s\"",
        "\"prompt\": \"p\", \"endpoint\": \"responses\"",
        "\"request\": \"input\", \"result\": \"whole\", \"parameters\": {\"background\": true}"
      })
  void settings_that_contradict_each_other_are_refused(String settings) {
    assertThatThrownBy(() -> provider("http://p", settings)).isInstanceOf(InvalidSetting.class);
  }

  @Test
  void a_twist_of_the_turns_replaces_the_input_and_one_of_parameters_does_not() {
    ObjectNode settings = settings("http://p", PASS_ON);
    var twisting = new OpenAiChatType().twisting().orElseThrow();
    JsonNode cooler =
        twisting.twisted(settings, JSON.readTree("{\"parameters\":{\"temperature\":0}}"));
    assertThat(cooler.path("request").asString()).isEqualTo("input");
    JsonNode other = twisting.twisted(settings, JSON.readTree("{\"user\":\"Say A\"}"));
    assertThat(other.has("request")).isFalse();
    assertThat(other.at("/messages/0/content").asString()).isEqualTo("Say A");
    assertThatThrownBy(
            () ->
                twisting.twisted(
                    settings("http://p", RESPONSES), JSON.readTree("{\"user\":\"Say A\"}")))
        .isInstanceOf(InvalidSetting.class);
  }
}
