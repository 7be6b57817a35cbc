package dev.onejob.providers.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.ProviderContext;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.testkit.FarSide;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ProviderCall;
import dev.onejob.testkit.ProviderContract;
import java.io.IOException;
import java.net.URI;
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
import tools.jackson.databind.json.JsonMapper;

/** A sandbox that remembers: by the contract of adapters, and by what scripts can make it say. */
final class SandboxRecallTest implements ProviderContract {
  private static final String REMEMBERS =
      """
      {"deduplicates":"key","status":"by-reference","not_found":"final","evidence_for":"10m"}
      """;

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  private SandboxServer sandbox;
  private SandboxLedgerCount ledger;

  @BeforeEach
  void start() throws IOException {
    ServerMigrations.migrate(postgres.dataSource());
    sandbox = SandboxServer.start(new SandboxLedger(postgres.dataSource()), 0);
    ledger = new SandboxLedgerCount(postgres.dataSource());
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private Provider provider(String settings, URI address) {
    return new SandboxType()
        .create(
            "sandbox-a",
            JsonMapper.shared().readTree(settings),
            new ProviderContext(name -> null, Path.of("."), () -> address));
  }

  private Provider provider(String settings) {
    return provider(settings, sandbox.uri());
  }

  private static byte[] input(String script) {
    return ("{\"script\":{\"sandbox-a\":" + script + "}}").getBytes(UTF_8);
  }

  private static ProviderRequest request(String script) {
    return ProviderCall.request(input(script), AMPLE, Duration.ZERO);
  }

  @Override
  public Optional<Stage> set(Scene scene) {
    String script =
        switch (scene) {
          case SUCCESS -> "{}";
          case REFUSAL -> "{\"outcome\":\"refuse\"}";
          case SILENCE -> "{\"outcome\":\"hang\"}";
          case CUT -> "{\"outcome\":\"drop_after\"}";
          case LATE_SUCCESS -> "{\"answer_after_ms\":750}";
          case UNREACHABLE, HOSTILE_WORDS, GARBAGE, TOO_LARGE, TOO_DEEP -> "";
        };
    return script.isEmpty() // those are no other for a sandbox that remembers
        ? Optional.empty()
        : Optional.of(new Stage(provider(REMEMBERS), input(script), ledger::requests));
  }

  @Override
  public Optional<FarSide> farSide() throws IOException {
    return Optional.of(SandboxFarSide.start(postgres.dataSource(), REMEMBERS));
  }

  @Override
  public Optional<Recall> set(Memory memory) throws Exception {
    ProviderRequest request =
        request(
            switch (memory) {
              case DONE -> "{\"outcome\":\"drop_after\",\"value\":{\"n\":1.10}}";
              case FAILED -> "{\"outcome\":\"status\",\"status\":500}";
              case AT_WORK -> "{\"outcome\":\"drop_before\",\"effect_after_ms\":600000}";
              case SILENCE -> "{\"outcome\":\"drop_after\",\"lookup\":{\"says\":\"hang\"}}";
              case GARBAGE -> "{\"outcome\":\"drop_after\",\"lookup\":{\"says\":\"garbage\"}}";
              case NEVER_ARRIVED, UNREACHABLE -> "{}";
            });
    if (memory == Memory.UNREACHABLE) {
      Provider away = provider(REMEMBERS, URI.create("http://127.0.0.1:1"));
      return Optional.of(new Recall(away, request, ledger::effects));
    }
    Provider provider = provider(REMEMBERS);
    if (memory != Memory.NEVER_ARRIVED) {
      assertThat(ProviderCall.start(provider, shortly(request)).outcome())
          .isInstanceOf(Outcome.InDoubt.class);
    }
    return Optional.of(new Recall(provider, request, ledger::effects));
  }

  private static ProviderRequest shortly(ProviderRequest request) {
    return new ProviderRequest(
        request.jobId(),
        request.attemptId(),
        request.number(),
        request.owner(),
        request.kind(),
        request.providerKey(),
        request.input(),
        SHORT,
        Duration.ZERO);
  }

  private static Finding ask(Provider provider, ProviderRequest request, String ref)
      throws InterruptedException {
    return provider.lookup(
        new Inquiry(
            request.jobId(), request.attemptId(), 1, "demo", request.providerKey(), ref, AMPLE));
  }

  private static String said(Finding finding) {
    return switch (finding) {
      case Finding.Succeeded s -> "succeeded " + new String(s.result().bytes(), UTF_8);
      case Finding.Failed f -> "failed " + f.failure().code();
      case Finding.Stopped s -> "stopped";
      case Finding.AtWork w -> "at work";
      case Finding.NotFound n -> "not found";
      case Finding.CannotSay c -> "cannot say " + c.why().code();
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"outcome":"drop_after","value":7}                        | succeeded 7
          {"outcome":"drop_before"}                                 | not found
          {"outcome":"drop_before","effect_after_ms":0,"value":7}   | succeeded 7
          {"outcome":"status","status":504,"effect_after_ms":0,"value":7} | succeeded 7
          {"outcome":"status","status":504}                         | failed status-504
          {"outcome":"hang"}                                        | at work
          {"outcome":"hang","effect_after_ms":0,"value":7}          | succeeded 7
          {"outcome":"refuse"}                                      | failed sandbox-refused
          {"outcom":"refuse"}                                       | failed script-invalid
          {"value":7}                                               | succeeded 7
          """)
  void says_by_itself_what_really_happened(String script, String expected) throws Exception {
    Provider provider = provider(REMEMBERS);
    ProviderRequest request = request(script);
    ProviderCall.start(provider, shortly(request)).outcome();

    assertThat(said(ask(provider, request, null))).isEqualTo(expected);
  }

  @Test
  void a_script_can_change_its_mind_from_one_question_to_the_next() throws Exception {
    Provider provider = provider("{\"status\":\"by-reference\"}");
    ProviderRequest request =
        request(
            """
            {"outcome":"drop_after","value":1,"lookup":[
              {"says":"not_found","asks":2},{"says":"at_work"},{"says":"stopped"},
              {"says":"failed","retryable":true},{"says":"succeeded","value":2},{}]}
            """);
    ProviderCall.start(provider, shortly(request)).outcome();

    String[] said = new String[8];
    for (int i = 0; i < said.length; i++) {
      said[i] = said(ask(provider, request, null));
    }

    assertThat(said)
        .containsExactly(
            "not found",
            "not found",
            "at work",
            "stopped",
            "failed sandbox-failed",
            "succeeded 2",
            "succeeded 1",
            "succeeded 1");
  }

  @Test
  void a_script_can_keep_a_request_invisible_for_a_while() throws Exception {
    Provider provider = provider("{\"status\":\"by-reference\"}");
    ProviderRequest request =
        request(
            """
            {"outcome":"drop_after","value":1,
             "lookup":[{"says":"not_found","until_ms":1500},{}]}
            """);
    ProviderCall.start(provider, shortly(request)).outcome();

    String first = said(ask(provider, request, null));

    assertThat(first).isEqualTo("not found");
    await().until(() -> said(ask(provider, request, null)).equals("succeeded 1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"lookup\":[]}",
        "{\"lookup\":7}",
        "{\"lookup\":{\"says\":\"maybe\"}}",
        "{\"lookup\":{\"ask\":1}}",
        "{\"lookup\":[{},{\"asks\":-1}]}",
        "{\"lookup\":{\"until_ms\":\"soon\"}}"
      })
  void a_mistake_in_what_it_is_to_say_shows_at_once(String script) throws Exception {
    Outcome outcome = ProviderCall.start(provider("{}"), request(script)).outcome();

    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    assertThat(((Outcome.Refused) outcome).failure().code()).isEqualTo("script-invalid");
    assertThat(((Outcome.Refused) outcome).failure().message()).startsWith("script.sandbox-a");
  }

  @Test
  void one_that_is_asked_by_its_own_id_gives_it_with_the_acknowledgement() throws Exception {
    Provider provider = provider("{\"status\":\"by-id\"}");
    ProviderRequest request =
        request(
            "{\"outcome\":\"drop_after\",\"accept_after_ms\":0,"
                + "\"answer_after_ms\":50,\"value\":1}");
    ProviderCall call = ProviderCall.start(provider, shortly(request));
    call.outcome();
    String ref = call.watch().acceptances().getFirst().orElseThrow();

    assertThat(said(ask(provider, request, ref))).isEqualTo("succeeded 1");
    assertThat(said(ask(provider, request, "sbx_999999"))).isEqualTo("not found");
  }

  @Test
  void a_key_whose_request_was_dropped_unread_is_free_for_its_replay() throws Exception {
    Provider provider = provider(REMEMBERS);
    ProviderRequest request = request("[{\"outcome\":\"drop_before\"},{\"value\":2}]");
    ProviderCall.start(provider, shortly(request)).outcome();

    assertThat(said(provider.replay(request, () -> true))).isEqualTo("succeeded 2");
    assertThat(said(provider.replay(request, () -> true))).isEqualTo("succeeded 2");
    assertThat(ledger.effects()).isEqualTo(1);
    assertThat(ledger.requests()).isEqualTo(3);
  }

  @Test
  void a_replay_does_not_leave_once_its_key_may_hold_no_more() throws Exception {
    Provider provider = provider(REMEMBERS);

    assertThat(said(provider.replay(request("{}"), () -> false))).isEqualTo("cannot say not-sent");
    assertThat(ledger.requests()).isZero();
  }

  @Test
  void without_a_promise_to_act_once_it_acts_for_every_request() throws Exception {
    Provider provider = provider("{\"status\":\"by-reference\"}");
    ProviderRequest request = request("{}");
    ProviderCall.start(provider, request).outcome();
    ProviderCall.start(provider, request).outcome();

    assertThat(ledger.effects()).isEqualTo(2);
  }
}
