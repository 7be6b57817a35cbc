package dev.onejob.providers.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.http.RawServer;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

final class OpenAiChatTest {
  private static final String FIGURES = "\"prompt_tokens\":5,\"completion_tokens\":2";

  private static final Duration AMPLE = Duration.ofSeconds(90);
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir Path folder;

  @Test
  void the_request_carries_key_ids_parameters_and_filled_templates() throws Exception {
    Files.writeString(folder.resolve("key"), "sk-123\n");
    String settings =
        """
        "api_key_file": "key", "parameters": {"temperature": 0.10, "stream": false},
        "system": "Be {{/tone}}.",
        "messages": [{"role": "user", "content": "{{/q}} of {{/all/0}}, \\\\{{literal}}"}]
        """;
    ProviderRequest request = request("{\"tone\":\"kind\",\"q\":\"Sum\",\"all\":[{\"n\":1.50}]}");
    try (RawServer server = RawServer.answering(200, completion("stop", "\"ok\""))) {
      call(server, settings, request);
      String sent = server.requests().getFirst();
      assertThat(sent)
          .startsWith("POST /v1/chat/completions HTTP/1.1\r\n")
          .contains("\r\nAuthorization: Bearer sk-123\r\n")
          .contains("\r\nIdempotency-Key: " + request.providerKey() + "\r\n")
          .contains("\r\nOnejob-Job-Id: " + request.jobId() + "\r\n")
          .contains("\r\nOnejob-Attempt-Id: " + request.attemptId() + "\r\n");
      assertThat(sent.substring(sent.indexOf("\r\n\r\n") + 4))
          .isEqualTo(
              """
              {"temperature":0.10,"stream":false,"model":"m","messages":[\
              {"role":"system","content":"Be kind."},\
              {"role":"user","content":"Sum of {\\"n\\":1.50}, {{literal}}"}]}\
              """);
    }
  }

  @Test
  void what_a_template_puts_in_is_not_a_template() throws Exception {
    try (RawServer server = RawServer.answering(200, completion("stop", "\"ok\""))) {
      call(server, "\"prompt\": \"{{/q}}\"", request("{\"q\":\"{{/secret}}\",\"secret\":\"s\"}"));
      assertThat(server.requests().getFirst())
          .endsWith("{\"role\":\"user\",\"content\":\"{{/secret}}\"}]}");
    }
  }

  @Test
  void an_input_without_what_the_template_needs_is_refused_before_anything_is_sent()
      throws Exception {
    try (RawServer server = RawServer.answering(200, completion("stop", "\"ok\""))) {
      Outcome outcome = call(server, "\"prompt\": \"{{/q/text}}\"", request("{\"q\":1}"));
      Outcome.Refused refused = (Outcome.Refused) outcome;
      assertThat(refused.retryability()).isEqualTo(Retryability.FINAL);
      assertThat(refused.failure().message()).contains("/q/text");
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void the_content_is_the_result_and_the_usage_the_cost() throws Exception {
    Outcome.Succeeded succeeded =
        (Outcome.Succeeded) answered(200, completion("stop", "\"because\""), "text");
    assertThat(succeeded.result().format()).isEqualTo(Result.Format.TEXT);
    assertThat(new String(succeeded.result().bytes(), UTF_8)).isEqualTo("because");
    assertThat(succeeded.cost()).isEqualTo("{\"total_tokens\":7}");
  }

  @Test
  void the_figures_of_the_usage_are_read_under_both_names_also_of_a_completion_that_failed()
      throws Exception {
    String said = completion("stop", "\"x\"").replace("\"total_tokens\":7", FIGURES);
    String cut = said.replace("\"stop\"", "\"length\"");
    String responses =
        said.replace("prompt", "input").replace("completion_tokens", "output_tokens");

    Usage used = new Usage(5L, 2L, "m");
    assertThat(((Outcome.Succeeded) answered(200, said, "text")).usage()).isEqualTo(used);
    assertThat(((Outcome.Succeeded) answered(200, responses, "text")).usage()).isEqualTo(used);
    Outcome.Failed truncated = (Outcome.Failed) answered(200, cut, "text");
    assertThat(truncated.usage()).isEqualTo(used);
    assertThat(truncated.cost()).contains(FIGURES);
  }

  @Test
  void figures_that_are_no_numbers_of_tokens_are_not_taken_for_some() throws Exception {
    for (String odd : List.of("-5", "1.5", "\"5\"", "null", "1e40", "99999999999999999999")) {
      String said =
          completion("stop", "\"x\"").replace("\"total_tokens\":7", "\"prompt_tokens\":" + odd);
      assertThat(((Outcome.Succeeded) answered(200, said, "text")).usage())
          .as(odd)
          .isEqualTo(new Usage(null, null, "m"));
    }
  }

  @Test
  void another_model_than_the_one_asked_is_noted() throws Exception {
    String other = completion("stop", "\"x\"").replace("\"model\":\"m\"", "\"model\":\"m-mini\"");
    assertThat(((Outcome.Succeeded) answered(200, other, "text")).cost())
        .isEqualTo("{\"total_tokens\":7,\"answering_model\":\"m-mini\"}");
  }

  @Test
  void the_model_that_answers_is_named_to_the_engine() throws Exception {
    String other = completion("stop", "\"x\"").replace("\"model\":\"m\"", "\"model\":\"m-mini\"");
    try (RawServer server = RawServer.answering(200, other)) {
      Provider provider =
          provider(server.uri() + "/v1/", "\"prompt\": \"p\", \"result\": \"text\"");
      ProviderCall call = ProviderCall.start(provider, request("{}"));
      call.outcome();
      assertThat(call.watch().models()).containsExactly("m-mini");
    }
  }

  @Test
  void content_in_parts_is_joined() throws Exception {
    String parts =
        "[{\"type\":\"thinking\",\"x\":1},{\"type\":\"text\",\"text\":\"a\"},"
            + "{\"type\":\"text\",\"text\":\"b\"}]";
    Outcome.Succeeded succeeded =
        (Outcome.Succeeded) answered(200, completion("stop", parts), "text");
    assertThat(new String(succeeded.result().bytes(), UTF_8)).isEqualTo("ab");
  }

  @Test
  void json_content_is_kept_as_the_model_wrote_it() throws Exception {
    Outcome.Succeeded succeeded =
        (Outcome.Succeeded) answered(200, completion("stop", "\"{\\\"n\\\": 1.0}\""), "json");
    assertThat(succeeded.result().format()).isEqualTo(Result.Format.JSON);
    assertThat(new String(succeeded.result().bytes(), UTF_8)).isEqualTo("{\"n\": 1.0}");
  }

  @Test
  void the_whole_completion_can_be_the_result() throws Exception {
    String whole = completion("tool_calls", "null");
    Outcome.Succeeded succeeded = (Outcome.Succeeded) answered(200, whole, "whole");
    assertThat(new String(succeeded.result().bytes(), UTF_8)).isEqualTo(whole);
  }

  @ParameterizedTest
  @CsvSource({
    "stop, '\"prose\"', json, result-invalid",
    "stop, '\"\\ud800\"', text, result-invalid",
    "stop, 'null', text, no-content",
    "stop, '[]', text, no-content",
    "tool_calls, 'null', text, no-content",
    "length, '\"half a\"', text, truncated",
    "length, '\"half a\"', whole, truncated",
    "content_filter, '\"\"', text, content-filtered",
    "mystery, '\"x\"', text, finish-reason-unknown",
    "'', '\"x\"', text, finish-reason-unknown",
  })
  void a_completion_that_is_no_result_has_failed(
      String finish, String content, String reading, String code) throws Exception {
    Outcome.Failed failed = (Outcome.Failed) answered(200, completion(finish, content), reading);
    assertThat(failed.failure().code()).isEqualTo(code);
    assertThat(failed.retryability()).isEqualTo(Retryability.FINAL);
  }

  @Test
  void a_model_that_declines_has_failed() throws Exception {
    String declined =
        "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"refusal\":\"I will not\"}}]}";
    Outcome.Failed failed = (Outcome.Failed) answered(200, declined, "text");
    assertThat(failed.failure().message()).contains("I will not");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>gateway</html>",
        "{\"choices\":[]}",
        "{\"choices\":{}}",
        "{}",
        "[]",
        "null",
        "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":\"x\"}",
        "{\"error\":{\"code\":\"overloaded\"}}",
        "{\"error\":{\"code\":502}}",
        "{\"error\":\"something\"}",
        "{\"error\":{\"code\":\"unauthorized\"},\"choices\":[{\"message\":{\"content\":\"x\"}}]}",
        "{\"choices\":[],\"choices\":[{\"finish_reason\":\"stop\","
            + "\"message\":{\"content\":\"x\"}}]}",
        "data: {\"error\":{\"code\":\"x\"}}\n\n",
        "{\"error\":{\"code\":504,\"type\":\"invalid_request_error\"}}",
        "{\"error\":{\"code\":\"504\",\"type\":\"invalid_request_error\"}}",
        "{\"error\":{\"code\":\"unauthorized\",\"type\":\"server_error\"}}",
        "{\"error\":{\"code\":\"rate_limit_exceeded\",\"type\":\"authentication_error\"}}",
      })
  void a_success_that_is_not_recognised_is_doubt(String body) throws Exception {
    assertThat(answered(200, body, "text")).isInstanceOf(Outcome.InDoubt.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"error\":{\"code\":\"unauthorized\"}}', FINAL",
    "'{\"error\":{\"type\":\"invalid_request_error\",\"code\":null}}', FINAL",
    "'{\"error\":{\"code\":401}}', FINAL",
    "'{\"error\":{\"code\":\"400\",\"type\":\"invalid_request_error\"}}', FINAL",
    "'{\"error\":{\"code\":\"rate_limit_exceeded\"}}', RETRYABLE",
    "'{\"error\":{\"code\":429}}', RETRYABLE",
  })
  void an_error_in_a_success_that_is_said_before_any_work_is_a_refusal(
      String body, Retryability again) throws Exception {
    assertThat(((Outcome.Refused) answered(200, body, "text")).retryability()).isEqualTo(again);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 413, 422, 301, 308})
  void a_definite_refusal_is_final(int status) throws Exception {
    Outcome.Refused refused = (Outcome.Refused) answered(status, "{\"error\":{}}", "text");
    assertThat(refused.retryability()).isEqualTo(Retryability.FINAL);
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 202, 204, 302, 303, 408, 409, 418, 425, 500, 502, 503, 504, 529})
  void an_ambiguous_status_is_doubt(int status) throws Exception {
    assertThat(answered(status, "", "text")).isInstanceOf(Outcome.InDoubt.class);
  }

  @Test
  void a_status_that_is_declared_refused_is_a_refusal() throws Exception {
    try (RawServer server =
        RawServer.answering("HTTP/1.1 503 x\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")) {
      String settings = "\"prompt\": \"p\", \"refused_statuses\": [503]";
      Outcome.Refused refused = (Outcome.Refused) call(server, settings, request("{}"));
      assertThat(refused.retryability()).isEqualTo(Retryability.RETRYABLE);
      assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'Retry-After: 12', 12",
    "'Retry-After: 99999999999999999999', 86400",
    "'Date: Sun, 29 Nov 2026 10:00:00 GMT\r\nRetry-After: Sun, 29 Nov 2026 10:01:00 GMT', 60",
    "'Date: Sun, 29 Nov 2026 10:00:00 GMT\r\nRetry-After: Sun, 29 Nov 2026 09:00:00 GMT', 0",
    "'Retry-After: soon',",
    "'X: y',",
  })
  void a_rate_limit_may_be_tried_again_when_the_provider_says(String header, Long seconds)
      throws Exception {
    String raw = "HTTP/1.1 429 x\r\n" + header + "\r\nContent-Length: 0\r\n\r\n";
    try (RawServer server = RawServer.answering(raw)) {
      Outcome.Refused refused = (Outcome.Refused) call(server, "\"prompt\": \"p\"", request("{}"));
      assertThat(refused.retryability()).isEqualTo(Retryability.RETRYABLE);
      assertThat(refused.retryAfter())
          .isEqualTo(seconds == null ? null : Duration.ofSeconds(seconds));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "prompt": "p", "api_key_env": "UNSET_KEY"            | /api_key_env
          "prompt": "p", "api_key_file": "absent"              | /api_key_file
          "prompt": "p", "api_key_env": "A", "api_key_file": "b" | settings
          "prompt": "p", "messages": []                        | /messages
          "system": "s"                                        | settings
          "prompt": "{{/q"                                     | /prompt
          "prompt": "{{q}}"                                    | /prompt
          "prompt": "p", "parameters": {"stream": true}        | /parameters/stream
          "prompt": "p", "parameters": {"model": "x"}          | /parameters/model
          "prompt": "p", "colour": 1                           | settings
          "prompt": "p", "result": "xml"                       | /result
          """)
  void a_setting_that_cannot_be_used_is_named(String settings, String place) {
    assertThatThrownBy(() -> provider("http://127.0.0.1:1", settings))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining(place);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://x", "/v1", "http://", "http://u:p@h/v1", "http://h:99999", "a b"})
  void a_base_url_that_is_no_address_is_named(String base) {
    assertThatThrownBy(() -> provider(base, "\"prompt\": \"p\""))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageStartingWith("/base_url");
  }

  @Test
  void a_key_is_never_quoted() {
    String settings = "\"prompt\": \"p\", \"api_key_env\": \"BAD_KEY\"";
    assertThatThrownBy(() -> provider("http://h", settings))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageNotContaining("sk-");
  }

  private Outcome answered(int status, String body, String reading) throws Exception {
    try (RawServer server = RawServer.answering(status, body)) {
      String settings = "\"prompt\": \"p\", \"result\": \"" + reading + "\"";
      Outcome outcome = call(server, settings, request("{}"));
      assertThat(server.requests()).hasSize(1);
      return outcome;
    }
  }

  private Outcome call(RawServer server, String settings, ProviderRequest request)
      throws Exception {
    return ProviderCall.start(provider(server.uri() + "/v1/", settings), request).outcome();
  }

  private Provider provider(String base, String settings) throws IOException {
    ObjectNode all = (ObjectNode) read("{" + settings + "}");
    all.put("base_url", base).put("model", "m");
    Map<String, String> environment = Map.of("BAD_KEY", "sk-\u0001secret");
    return new OpenAiChatType()
        .create(
            "chat",
            all,
            new ProviderContext(environment::get, folder, () -> URI.create("http://unused")));
  }

  private static JsonNode read(String json) {
    return JSON.reader()
        .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .readTree(json);
  }

  private static ProviderRequest request(String input) {
    return ProviderCall.request(input.getBytes(UTF_8), AMPLE, Duration.ZERO);
  }

  private static String completion(String finish, String content) {
    return "{\"model\":\"m\",\"choices\":[{\"finish_reason\":\""
        + finish
        + "\",\"message\":{\"role\":\"assistant\",\"content\":"
        + content
        + "}}],\"usage\":{\"total_tokens\":7}}";
  }
}
