package dev.onejob.providers.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Failure;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.sandbox.Effects.ProviderEffects;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

final class SandboxServerTest {
  private static final Duration AMPLE = Duration.ofSeconds(90);

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  private SandboxLedger ledger;
  private SandboxServer sandbox;

  @BeforeEach
  void start() throws IOException {
    ServerMigrations.migrate(postgres.dataSource());
    ledger = new SandboxLedger(postgres.dataSource());
    sandbox = SandboxServer.start(ledger, 0);
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Test
  void a_provider_without_a_script_succeeds_and_says_who_it_is() throws Exception {
    ProviderRequest request = request("{\"prompt\":\"x\"}");
    Outcome.Succeeded succeeded = (Outcome.Succeeded) call(request);
    assertThat(new String(succeeded.result().bytes(), UTF_8))
        .isEqualTo(
            "{\"provider\":\"sandbox-a\",\"job\":\"%s\",\"attempt\":\"%s\",\"request\":1}"
                .formatted(request.jobId(), request.attemptId()));
    assertThat(counts(request)).isEqualTo(new ProviderEffects(1, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1,2]", "\"text\"", "7", "null", "{\"script\":{\"sandbox-b\":{}}}"})
  void any_input_without_a_part_for_this_provider_succeeds(String input) throws Exception {
    assertThat(call(request(input))).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void the_value_comes_back_exactly() throws Exception {
    Outcome.Succeeded succeeded = (Outcome.Succeeded) call(scripted("{\"value\":{\"n\":1.10}}"));
    assertThat(new String(succeeded.result().bytes(), UTF_8)).isEqualTo("{\"n\":1.10}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"outcome":"drop_before"}                                            | 0
          {"outcome":"drop_after"}                                             | 1
          {"outcome":"drop_after","accept_after_ms":0,"answer_after_ms":50}    | 1
          {"outcome":"status","status":500}                                    | 0
          {"outcome":"status","status":504,"effect_after_ms":0}                | 1
          {"outcome":"status","status":200,"body":""}                          | 1
          {"outcome":"status","status":200,"body":"<html>"}                    | 1
          {"outcome":"status","status":200,"body":{"error":{"code":"x"}}}      | 1
          {"outcome":"status","status":204}                                    | 1
          {"outcome":"status","status":418,"body":"teapot"}                    | 0
          """)
  void whatever_is_not_understood_is_doubt_and_the_ledger_knows_better(String step, int effects)
      throws Exception {
    ProviderRequest request = scripted(step);
    assertThat(call(request)).isInstanceOf(Outcome.InDoubt.class);
    await().untilAsserted(() -> assertThat(counts(request).effects()).isEqualTo(effects));
    assertThat(counts(request).requests()).isEqualTo(1);
  }

  @Test
  void a_refusal_says_whether_and_when_to_come_again() throws Exception {
    ProviderRequest request =
        scripted("{\"outcome\":\"refuse\",\"retryable\":true,\"retry_after_ms\":1500}");
    Outcome.Refused refused = (Outcome.Refused) call(request);
    assertThat(refused.retryability()).isEqualTo(Retryability.RETRYABLE);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(2));
    assertThat(counts(request)).isEqualTo(new ProviderEffects(1, 0));
  }

  @Test
  void a_provider_that_hangs_may_act_all_the_same() throws Exception {
    ProviderRequest request =
        request(
            "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\",\"effect_after_ms\":10}}}",
            Duration.ofSeconds(1));
    assertThat(call(request)).isInstanceOf(Outcome.InDoubt.class);
    await().untilAsserted(() -> assertThat(counts(request)).isEqualTo(new ProviderEffects(1, 1)));
  }

  @Test
  void an_effect_that_is_to_come_comes_although_the_caller_has_left() throws Exception {
    ProviderRequest request = scripted("{\"answer_after_ms\":2500}");
    ProviderCall call = ProviderCall.start(provider(), request);
    await().until(() -> counts(request).requests() == 1);
    call.interrupt();
    assertThatThrownBy(call::outcome).hasCauseInstanceOf(InterruptedException.class);
    assertThat(counts(request).effects()).isZero();
    await().untilAsserted(() -> assertThat(counts(request).effects()).isEqualTo(1));
  }

  @Test
  void an_acknowledgement_comes_ahead_of_the_answer() throws Exception {
    ProviderRequest request = scripted("{\"accept_after_ms\":50,\"answer_after_ms\":2000}");
    ProviderCall call = ProviderCall.start(provider(), request);
    await().until(() -> call.watch().acceptances().size() == 1);
    assertThat(call.isOver()).isFalse();
    assertThat(call.watch().acceptances().getFirst()).get().asString().startsWith("sbx_");
    assertThat(call.outcome()).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void an_acknowledged_call_can_be_silent_for_ever() throws Exception {
    ProviderRequest request =
        request(
            "{\"script\":{\"sandbox-a\":{\"outcome\":\"hang\",\"accept_after_ms\":0}}}",
            Duration.ofMillis(1_500));
    ProviderCall call = ProviderCall.start(provider(), request);
    assertThat(call.outcome()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(call.watch().acceptances()).hasSize(1);
  }

  @Test
  void a_script_of_several_steps_changes_its_mind_and_stays_with_the_last() throws Exception {
    String input =
        "{\"script\":{\"sandbox-a\":[{\"outcome\":\"refuse\"},{\"outcome\":\"drop_after\"},{}]}}";
    ProviderRequest request = request(input);
    assertThat(call(request)).isInstanceOf(Outcome.Refused.class);
    assertThat(call(request)).isInstanceOf(Outcome.InDoubt.class);
    assertThat(call(request)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(call(request)).isInstanceOf(Outcome.Succeeded.class);
    assertThat(counts(request)).isEqualTo(new ProviderEffects(4, 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"outcome":"explode"}                       | script.sandbox-a.outcome: expected
          {"colour":"red"}                            | script.sandbox-a.colour: unknown
          {"answer_after_ms":-1}                      | script.sandbox-a.answer_after_ms: expected
          {"answer_after_ms":"1"}                     | script.sandbox-a.answer_after_ms: expected
          {"answer_after_ms":1.5}                     | script.sandbox-a.answer_after_ms: expected
          {"accept_after_ms":9,"answer_after_ms":1}   | script.sandbox-a.accept_after_ms: later
          {"outcome":"status"}                        | script.sandbox-a.status: expected
          {"outcome":"status","status":99}            | script.sandbox-a.status: expected
          {"outcome":"refuse","retryable":"yes"}      | script.sandbox-a.retryable: expected
          {"outcome":1}                               | script.sandbox-a.outcome: expected
          []                                          | script.sandbox-a: an array needs
          [{},7]                                      | script.sandbox-a[1]: expected
          true                                        | script.sandbox-a: expected
          """)
  void a_script_that_cannot_be_played_is_refused_at_its_place(String step, String says)
      throws Exception {
    ProviderRequest request = scripted(step);
    if (step.startsWith("[{")) {
      call(request);
    }
    Outcome.Refused refused = (Outcome.Refused) call(request);
    assertThat(refused.retryability()).isEqualTo(Retryability.FINAL);
    assertThat(refused.failure().code()).isEqualTo("script-invalid");
    assertThat(refused.failure().message()).startsWith(says);
  }

  @ParameterizedTest
  @CsvSource({"401, FINAL", "422, FINAL", "429, RETRYABLE"})
  void a_status_that_proves_a_refusal_is_one(int status, Retryability again) throws Exception {
    String step =
        "{\"outcome\":\"status\",\"status\":" + status + ",\"body\":\"no\",\"retry_after_ms\":1}";
    Outcome.Refused refused = (Outcome.Refused) call(scripted(step));
    assertThat(refused.retryability()).isEqualTo(again);
    Failure expected = new Failure("status-" + status, "status " + status + ": no");
    assertThat(refused.failure()).isEqualTo(expected);
  }

  @Test
  void effects_are_told_over_http() throws Exception {
    ProviderRequest request = request("{}");
    call(request);
    String expected =
        """
        {"job":"%s","requests":1,"effects":1,\
        "by_provider":{"sandbox-a":{"requests":1,"effects":1}}}\
        """
            .formatted(request.jobId());
    assertThat(get("/sandbox/effects?job=" + request.jobId()).body()).isEqualTo(expected);
    assertThat(get("/sandbox/effects?job=nonsense").statusCode()).isEqualTo(400);
    assertThat(get("/elsewhere").statusCode()).isEqualTo(404);
  }

  @Test
  void a_job_that_it_never_heard_of_has_no_effects() {
    JobId job = request("{}").jobId();
    assertThat(ledger.effects(job).requests()).isZero();
    assertThat(ledger.effects(job).byProvider()).isEmpty();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(sandbox.uri() + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private Provider provider() {
    ProviderContext context = new ProviderContext(name -> null, Path.of("."), sandbox::uri);
    return new SandboxType().create("sandbox-a", JsonNodeFactory.instance.objectNode(), context);
  }

  private Outcome call(ProviderRequest request) throws Exception {
    return ProviderCall.start(provider(), request).outcome();
  }

  private ProviderEffects counts(ProviderRequest request) {
    return Optional.ofNullable(ledger.effects(request.jobId()).byProvider().get("sandbox-a"))
        .orElse(new ProviderEffects(0, 0));
  }

  private static ProviderRequest scripted(String step) {
    return request("{\"script\":{\"sandbox-a\":" + step + "}}");
  }

  private static ProviderRequest request(String input) {
    return request(input, AMPLE);
  }

  private static ProviderRequest request(String input, Duration timeout) {
    return ProviderCall.request(input.getBytes(UTF_8), timeout, Duration.ZERO);
  }
}
