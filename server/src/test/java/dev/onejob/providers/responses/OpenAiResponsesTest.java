package dev.onejob.providers.responses;

import static dev.onejob.providers.responses.ResponsesPeer.ID;
import static dev.onejob.providers.responses.ResponsesPeer.answer;
import static dev.onejob.providers.responses.ResponsesPeer.completed;
import static dev.onejob.providers.responses.ResponsesPeer.output;
import static dev.onejob.providers.responses.ResponsesPeer.response;
import static dev.onejob.providers.responses.ResponsesPeer.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Retryability;
import dev.onejob.domain.Usage;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.Twisting;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.responses.ResponsesPeer.Say;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class OpenAiResponsesTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration AMPLE = Duration.ofSeconds(90);
  private static final Map<String, String> SECRETS =
      Map.of(
          "KEY",
          "sk-1",
          "OTHER",
          "not-%-base-64",
          "PEER_SECRET",
          "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2");

  private ResponsesPeer peer;

  @BeforeEach
  void start() throws IOException {
    peer = ResponsesPeer.start();
  }

  @AfterEach
  void close() {
    peer.close();
  }

  static ObjectNode settings(URI address) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.put("base_url", address + "/v1").put("model", "m").put("prompt", "{{/q}}");
    return settings.put("poll_interval", "20ms").put("ended", "stable");
  }

  static Provider provider(JsonNode settings) {
    return new OpenAiResponsesType()
        .create(
            "responses",
            settings,
            new ProviderContext(SECRETS::get, Path.of("."), () -> URI.create("http://unused")));
  }

  private ProviderCall call(JsonNode settings) {
    return ProviderCall.start(provider(settings), request());
  }

  private static ProviderRequest request() {
    return ProviderCall.request("{\"q\":\"why?\"}".getBytes(UTF_8), AMPLE, Duration.ZERO);
  }

  private static String text(Outcome outcome) {
    return new String(((Outcome.Succeeded) outcome).result().bytes(), UTF_8);
  }

  @Test
  void the_work_is_submitted_once_and_asked_about_until_it_has_ended() throws Exception {
    peer.says(status("queued"), status("queued"), status("in_progress"), completed("because"));
    ProviderRequest request = request();
    ProviderCall call = ProviderCall.start(provider(settings(peer.uri())), request);

    assertThat(text(call.outcome())).isEqualTo("because");
    assertThat(((Outcome.Succeeded) call.outcome()).usage()).isEqualTo(new Usage(5L, 2L, "m"));
    assertThat(call.watch().acceptances()).containsExactly(Optional.of(ID));
    assertThat(call.watch().handOvers()).isEqualTo(1);
    assertThat(call.watch().models()).contains("m");
    assertThat(peer.submits()).isEqualTo(1);
    assertThat(peer.count("GET /v1/responses/" + ID + "\n")).isEqualTo(3);
    JsonNode sent = JSON.readTree(peer.requests().getFirst().split("\n", 2)[1]);
    assertThat(sent.path("background").asBoolean()).isTrue();
    assertThat(sent.path("store").asBoolean()).isTrue();
    assertThat(sent.path("metadata").path("onejob_job_id").asString())
        .isEqualTo(request.jobId().toString());
    assertThat(sent.path("metadata").path("onejob_attempt_id").asString())
        .isEqualTo(request.attemptId().toString());
    assertThat(sent.path("input").path(0).path("content").asString()).isEqualTo("why?");
  }

  @Test
  void a_question_that_fails_says_nothing_and_is_put_again() throws Exception {
    peer.says(
        status("queued"),
        new Say(0, "", ""),
        new Say(500, "{\"error\":{}}", ""),
        new Say(404, "{\"error\":{}}", ""),
        new Say(401, "{\"error\":{\"code\":\"invalid_api_key\"}}", ""),
        new Say(429, "", "0"),
        answer("{}"),
        answer("<html>"),
        answer("[".repeat(500) + "]".repeat(500)),
        answer("{\"x\":\"" + "x".repeat(5_000_000) + "\"}"),
        status("a-later-word"),
        answer(response("completed", output("not ours")).replace(ID, "resp_2")),
        completed("because"));
    assertThat(text(call(settings(peer.uri())).outcome())).isEqualTo("because");
    assertThat(peer.submits()).isEqualTo(1);
  }

  @Test
  void a_stop_is_passed_on_and_what_the_provider_then_says_is_the_end() throws Exception {
    peer.says(status("in_progress"));
    ProviderCall call = call(settings(peer.uri()));
    await().until(() -> peer.count("GET ") > 0);
    call.watch().stop();
    assertThat(call.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(peer.count("POST /v1/responses/" + ID + "/cancel\n")).isEqualTo(1);
    assertThat(peer.submits()).isEqualTo(1);
  }

  @Test
  void a_result_that_comes_before_the_cancel_is_the_result() throws Exception {
    peer.says(status("in_progress")).onCancel(completed("because"));
    ProviderCall call = call(settings(peer.uri()));
    await().until(() -> peer.count("GET ") > 0);
    call.watch().stop();
    assertThat(text(call.outcome())).isEqualTo("because");
  }

  @Test
  void a_cancel_that_is_not_heard_is_said_again() throws Exception {
    peer.says(status("in_progress")).onCancel(new Say(0, "", ""));
    ProviderCall call = call(settings(peer.uri()));
    await().until(() -> peer.count("GET ") > 0);
    call.watch().stop();
    await().until(() -> peer.count("POST /v1/responses/" + ID + "/cancel\n") > 2);
    peer.onCancel(status("cancelled"));
    assertThat(call.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(peer.submits()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 408, 409, 429, 500, 503})
  void a_cancel_that_is_turned_away_for_now_is_said_again(int status) throws Exception {
    peer.says(status("in_progress")).onCancel(new Say(status, "{\"error\":{}}", ""));
    ProviderCall call = call(settings(peer.uri()));
    await().until(() -> peer.count("GET ") > 0);
    call.watch().stop();
    await().until(() -> peer.count("POST /v1/responses/" + ID + "/cancel\n") > 2);
    peer.onCancel(status("cancelled"));
    assertThat(call.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(peer.submits()).isEqualTo(1);
  }

  @Test
  void a_cancel_that_is_turned_away_for_good_is_not_said_again() throws Exception {
    peer.says(status("in_progress")).onCancel(new Say(400, "{\"error\":{}}", ""));
    ProviderCall call = call(settings(peer.uri()));
    await().until(() -> peer.count("GET ") > 0);
    call.watch().stop();
    await().until(() -> peer.count("POST /v1/responses/" + ID + "/cancel\n") > 0);
    int asked = peer.count("GET ");
    await().until(() -> peer.count("GET ") > asked + 2);
    assertThat(peer.count("POST /v1/responses/" + ID + "/cancel\n")).isEqualTo(1);
    peer.says(completed("because"));
    assertThat(text(call.outcome())).isEqualTo("because");
  }

  @Test
  void cancelled_is_no_proof_where_it_has_been_seen_to_change() throws Exception {
    peer.says(status("in_progress"));
    ObjectNode settings = settings(peer.uri()).put("ended", "may-change");
    ProviderCall call = call(settings);
    await().until(() -> peer.count("GET ") > 0);
    call.watch().stop();
    assertThat(((Outcome.InDoubt) call.outcome()).reason().code())
        .isEqualTo("cancelled-may-change");
    settings.remove("ended");
    assertThat(provider(settings).capabilities().terminalState())
        .isEqualTo(Capabilities.TerminalState.MAY_CHANGE);
  }

  @Test
  void what_has_not_ended_when_the_patience_is_over_is_in_doubt_and_still_at_work()
      throws Exception {
    peer.says(status("in_progress"));
    ProviderRequest brief =
        ProviderCall.request(
            "{\"q\":1}".getBytes(UTF_8), Duration.ofMillis(300), Duration.ofMillis(100));
    Provider provider = provider(settings(peer.uri()));
    Outcome outcome = ProviderCall.start(provider, brief).outcome();
    assertThat(((Outcome.InDoubt) outcome).reason().code()).isEqualTo(OnePost.TIMEOUT);
    assertThat(lookup(provider, ID)).isEqualTo(new Finding.AtWork(ID));
    assertThat(peer.submits()).isEqualTo(1);
  }

  /** Else its answer could be heard after all, by a hair, and what was to be in doubt would end. */
  @Test
  void a_question_that_nobody_waits_for_is_not_put() throws Exception {
    peer.says(status("queued"), completed("because"));
    ProviderRequest brief =
        ProviderCall.request("{\"q\":1}".getBytes(UTF_8), Duration.ofMillis(300), Duration.ZERO);
    ObjectNode settings = settings(peer.uri()).put("poll_interval", "1m");
    Outcome outcome = ProviderCall.start(provider(settings), brief).outcome();
    assertThat(((Outcome.InDoubt) outcome).reason().code()).isEqualTo(OnePost.TIMEOUT);
    assertThat(peer.requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          incomplete | "incomplete_details":{"reason":"max_output_tokens"} | truncated
          incomplete | "incomplete_details":{"reason":"content_filter"}    | content-filtered
          incomplete | "incomplete_details":{"reason":"stop"}              | finish-reason-unknown
          incomplete | "incomplete_details":null                           | finish-reason-unknown
          completed  | "output":[]                                         | no-content
          completed  | "output":[{"type":"function_call","name":"f"}]      | no-content
          completed  | "output":[{"content":[{"type":"refusal","refusal":"No."}]}] | model-declined
          """)
  void what_has_ended_without_a_result_has_failed(String status, String more, String code)
      throws Exception {
    peer.says(status("queued"), answer(response(status, more)));
    Outcome.Failed failed = (Outcome.Failed) call(settings(peer.uri())).outcome();
    assertThat(failed.failure().code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({"server_error, RETRYABLE", "rate_limit_exceeded, RETRYABLE", "invalid_prompt, FINAL"})
  void what_the_provider_calls_failed_has_failed(String code, Retryability again) throws Exception {
    String failed =
        response("failed", "\"output\":[]").replace("null", "{\"code\":\"" + code + "\"}");
    peer.says(status("queued"), answer(failed));
    Outcome.Failed outcome = (Outcome.Failed) call(settings(peer.uri())).outcome();
    assertThat(outcome.failure().code()).isEqualTo("response-failed");
    assertThat(outcome.failure().message()).contains(code);
    assertThat(outcome.retryability()).isEqualTo(again);
  }

  @Test
  void another_model_that_answers_is_named_and_noted() throws Exception {
    String other = response("completed", output("x")).replace("\"m\"", "\"m-mini\"");
    peer.says(status("queued"), answer(other));
    ProviderCall call = call(settings(peer.uri()));
    assertThat(((Outcome.Succeeded) call.outcome()).cost()).contains("\"m-mini\"");
    assertThat(call.watch().models()).contains("m-mini");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../admin", "a b", "", "x?y=1"})
  void an_id_that_cannot_stand_in_a_path_is_not_asked_about(String id) throws Exception {
    peer.says(answer(response("queued", "\"output\":[]").replace(ID, id)));
    assertThat(call(settings(peer.uri())).outcome()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(peer.requests()).hasSize(1);
  }

  private static Finding lookup(Provider provider, String id) throws InterruptedException {
    ProviderRequest asked = request();
    return provider.lookup(
        new Inquiry(asked.jobId(), asked.attemptId(), 1, "demo", asked.providerKey(), id, AMPLE));
  }

  @Test
  void a_look_up_says_how_far_it_is_and_changes_nothing() throws Exception {
    Provider provider = provider(settings(peer.uri()));
    peer.says(
        completed("because"),
        answer(response("failed", "\"output\":[]")),
        answer(response("incomplete", "\"output\":[]")),
        status("cancelled"),
        status("queued"),
        new Say(404, "{}", ""),
        new Say(500, "{}", ""),
        new Say(0, "", ""),
        answer("<html>"),
        answer(response("completed", output("x")).replace(ID, "resp_2")),
        status("a-later-word"));
    assertThat(((Finding.Succeeded) lookup(provider, ID)).result().bytes())
        .isEqualTo("because".getBytes(UTF_8));
    assertThat(lookup(provider, ID)).isInstanceOf(Finding.Failed.class);
    assertThat(lookup(provider, ID)).isInstanceOf(Finding.Failed.class);
    assertThat(lookup(provider, ID)).isInstanceOf(Finding.Stopped.class);
    assertThat(lookup(provider, ID)).isEqualTo(new Finding.AtWork(ID));
    assertThat(lookup(provider, ID)).isInstanceOf(Finding.NotFound.class);
    for (int i = 0; i < 5; i++) {
      assertThat(lookup(provider, ID)).as("%d", i).isInstanceOf(Finding.CannotSay.class);
    }
    assertThat(peer.count("GET ")).isEqualTo(peer.requests().size()).isEqualTo(11);
    assertThat(lookup(provider, "../x")).isInstanceOf(Finding.CannotSay.class);
    assertThat(peer.requests()).hasSize(11);
  }

  @Test
  void it_declares_what_it_can_be_asked_by_and_for_how_long() {
    ObjectNode settings = settings(peer.uri());
    Capabilities stored = provider(settings).capabilities();
    assertThat(stored.statusProbe()).isEqualTo(Capabilities.StatusProbe.BY_PROVIDER_ID);
    assertThat(stored.cancel()).isEqualTo(Capabilities.Cancel.BEST_EFFORT);
    assertThat(stored.evidenceRetention()).isEqualTo(Duration.ofDays(30));
    assertThat(provider(settings.put("store", false)).capabilities().evidenceRetention())
        .isEqualTo(Duration.ofMinutes(10));
    Capabilities onTheLine = provider(settings.put("background", false)).capabilities();
    assertThat(onTheLine.statusProbe()).isEqualTo(Capabilities.StatusProbe.NONE);
    assertThat(onTheLine.cancel()).isEqualTo(Capabilities.Cancel.DISCONNECT);
  }

  @Test
  void what_is_not_in_the_background_answers_on_its_line() throws Exception {
    ObjectNode settings = settings(peer.uri()).put("background", false);
    peer.says(completed("because"), status("in_progress"));
    assertThat(text(call(settings).outcome())).isEqualTo("because");
    assertThat(call(settings).outcome()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(peer.requests()).hasSize(2);
  }

  @Test
  void a_qualification_can_twist_the_limit_under_its_own_name_and_not_below_its_least()
      throws Exception {
    Twisting twisting = new OpenAiResponsesType().twisting().orElseThrow();
    ObjectNode settings = settings(peer.uri());
    settings.putObject("parameters").put("max_output_tokens", 64);
    assertThat(twisting.facts(settings).parameters()).containsOnlyKeys("max_tokens");
    JsonNode twist = JSON.readTree("{\"parameters\":{\"max_tokens\":8},\"system\":\"Be kind.\"}");
    peer.says(completed("x"));
    call(twisting.twisted(settings, twist)).outcome();
    assertThat(peer.requests().getFirst())
        .contains("\"max_output_tokens\":16", "{\"role\":\"system\",\"content\":\"Be kind.\"}")
        .doesNotContain("\"max_tokens\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"background", "store", "stream", "metadata", "previous_response_id"})
  void what_the_adapter_decides_is_no_parameter(String name) {
    ObjectNode settings = settings(peer.uri());
    settings.putObject("parameters").put(name, true);
    assertThatThrownBy(() -> provider(settings))
        .isInstanceOf(InvalidSetting.class)
        .hasMessageContaining("/parameters/" + name);
  }
}
