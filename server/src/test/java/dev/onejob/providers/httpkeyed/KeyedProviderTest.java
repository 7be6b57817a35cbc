package dev.onejob.providers.httpkeyed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.domain.Result;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.httpkeyed.KeyedFarSide.LookUp;
import dev.onejob.testkit.PaymentPeer;
import dev.onejob.testkit.PaymentPeer.Fate;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Stripe's rules against a payment service that has them, and requests as they are described. */
final class KeyedProviderTest {
  private static final Duration AMPLE = Duration.ofSeconds(90);

  private static final String PLAIN =
      """
      {"path": "/x", "json": {}, "key_kept": "1h"}
      """;

  private PaymentPeer peer;

  @BeforeEach
  void start() throws IOException {
    peer = PaymentPeer.start();
  }

  @AfterEach
  void close() throws IOException {
    peer.close();
  }

  private Provider stripe(Fate fate) {
    return KeyedFarSide.stripe(peer.uri(), fate.name(), LookUp.BY_ID);
  }

  private static ProviderRequest request(String input) {
    return ProviderCall.request(input.getBytes(UTF_8), AMPLE, Duration.ZERO);
  }

  private static Finding lookUp(Provider provider, ProviderRequest request, String ref)
      throws InterruptedException {
    return provider.lookup(
        new Inquiry(
            request.jobId(), request.attemptId(), 1, "pay", request.providerKey(), ref, AMPLE));
  }

  private static String text(Result result) {
    return new String(result.bytes(), UTF_8);
  }

  @Test
  void a_payment_is_made_under_the_provider_key_and_its_id_is_recorded() throws Exception {
    ProviderRequest request = request("{\"order\":7}");
    ProviderCall call = ProviderCall.start(stripe(Fate.SERVE), request);

    assertThat(call.outcome()).isInstanceOf(Outcome.Succeeded.class);
    assertThat(call.watch().acceptances()).containsExactly(Optional.of("pi_1"));
    assertThat(peer.heads().getFirst())
        .startsWith("POST /v1/payment_intents HTTP/1.1\r\n")
        .contains("\r\nIdempotency-Key: " + request.providerKey() + "\r\n")
        .contains("\r\nContent-Type: application/x-www-form-urlencoded\r\n")
        .contains("\r\nAuthorization: Bearer " + PaymentPeer.SECRET + "\r\n")
        .contains("\r\nOnejob-Attempt-Id: " + request.attemptId() + "\r\n")
        .doesNotContain("application/json\r\nContent-Length");
  }

  @Test
  void the_second_request_is_byte_for_byte_the_first() throws Exception {
    Provider provider = stripe(Fate.LOSE_ANSWER);
    ProviderRequest request = request("{\"order\":7.10,\"note\":\"Grüße & \\\"more\\\" = 100 %\"}");
    ProviderCall.start(provider, request).outcome();

    assertThat(provider.replay(request, () -> true)).isInstanceOf(Finding.Succeeded.class);
    assertThat(peer.heads()).hasSize(2);
    assertThat(peer.heads().getFirst()).isEqualTo(peer.heads().getLast());
    assertThat(peer.effects()).isEqualTo(1);
  }

  @Test
  void a_500_is_in_doubt_and_so_is_its_replay() throws Exception {
    Provider provider = stripe(Fate.BREAK);
    ProviderRequest request = request("{}");
    assertThat(ProviderCall.start(provider, request).outcome()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(provider.replay(request, () -> true))
        .isInstanceOfSatisfying(
            Finding.CannotSay.class, says -> assertThat(says.why().code()).isEqualTo("status-500"));
    assertThat(peer.effects()).isEqualTo(1);
  }

  @Test
  void a_declined_card_is_a_failure_and_no_refusal_and_stays_one() throws Exception {
    Provider provider = stripe(Fate.DECLINE);
    ProviderRequest request = request("{}");
    assertThat(ProviderCall.start(provider, request).outcome()).isInstanceOf(Outcome.Failed.class);
    assertThat(provider.replay(request, () -> true)).isInstanceOf(Finding.Failed.class);
  }

  @Test
  void a_key_that_is_at_work_is_in_doubt_to_a_call_and_at_work_to_a_replay() throws Exception {
    Provider provider = stripe(Fate.HOLD);
    ProviderRequest request = request("{}");
    ProviderCall.start(provider, request).outcome();

    assertThat(provider.replay(request, () -> true)).isEqualTo(new Finding.AtWork(null));
    assertThat(ProviderCall.start(provider, request).outcome())
        .isInstanceOfSatisfying(
            Outcome.InDoubt.class,
            doubt -> assertThat(doubt.reason().code()).isEqualTo(KeyedReading.AT_WORK));
    assertThat(peer.effects()).isZero();
    peer.release();
    assertThat(provider.replay(request, () -> true)).isInstanceOf(Finding.Succeeded.class);
    assertThat(peer.effects()).isEqualTo(1);
  }

  @Test
  void one_key_for_other_parameters_is_a_contradiction_and_never_a_result() throws Exception {
    Provider provider = stripe(Fate.SERVE);
    ProviderRequest request = request("{\"order\":7}");
    ProviderCall.start(provider, request).outcome();
    ProviderRequest other = ProviderCall.withInput(request, "{\"order\":8}".getBytes(UTF_8));

    assertThat(provider.replay(other, () -> true))
        .isInstanceOfSatisfying(
            Finding.CannotSay.class,
            says -> assertThat(says.why().code()).isEqualTo(KeyedReading.KEY_MISMATCH));
    assertThat(ProviderCall.start(provider, other).outcome())
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> {
              assertThat(refused.failure().code()).isEqualTo(KeyedReading.KEY_MISMATCH);
              assertThat(refused.retryability()).isEqualTo(Retryability.FINAL);
            });
    assertThat(peer.effects()).isEqualTo(1);
  }

  /** The replay was turned away before anything was kept: the first may be on its way still. */
  @Test
  void a_replay_that_is_not_valid_says_nothing_about_the_first_request() throws Exception {
    ObjectNode settings = KeyedFarSide.settings(peer.uri(), "SERVE", LookUp.NONE);
    settings.withObjectProperty("form").put("amount", "{{/amount}}");
    Provider provider = new KeyedType().create("p", settings, KeyedFarSide.context());
    ProviderRequest request = request("{\"amount\":\"a lot\"}");

    assertThat(provider.replay(request, () -> true)).isInstanceOf(Finding.CannotSay.class);
    assertThat(ProviderCall.start(provider, request).outcome()).isInstanceOf(Outcome.Refused.class);
  }

  @Test
  void what_was_kept_under_the_key_was_begun_whatever_its_status() throws Exception {
    String answer = "HTTP/1.1 400 x\r\nIdempotent-Replayed: true\r\nContent-Length: 2\r\n\r\n{}";
    try (RawServer server = RawServer.answering(answer)) {
      Provider provider = KeyedFarSide.stripe(server.uri(), "SERVE", LookUp.NONE);
      assertThat(ProviderCall.start(provider, request("{}")).outcome())
          .isInstanceOf(Outcome.Failed.class);
      assertThat(provider.replay(request("{}"), () -> true)).isInstanceOf(Finding.Failed.class);
    }
  }

  @Test
  void a_payment_that_is_processed_is_in_doubt_until_it_is_looked_up() throws Exception {
    Provider provider = stripe(Fate.PROCESS);
    ProviderRequest request = request("{}");
    ProviderCall call = ProviderCall.start(provider, request);

    assertThat(call.outcome()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(call.watch().acceptances()).containsExactly(Optional.of("pi_1"));
    assertThat(lookUp(provider, request, "pi_1")).isInstanceOf(Finding.Succeeded.class);
    assertThat(lookUp(provider, request, "pi_2")).isInstanceOf(Finding.NotFound.class);
    assertThat(peer.requests()).isEqualTo(1);
  }

  @Test
  void an_id_that_would_mean_something_in_an_address_is_neither_recorded_nor_asked_about()
      throws Exception {
    String body = "{\"id\":\"../../v1/refunds?x=1\",\"status\":\"succeeded\"}";
    try (RawServer server = RawServer.answering(200, body)) {
      Provider provider = KeyedFarSide.stripe(server.uri(), "SERVE", LookUp.BY_ID);
      ProviderCall call = ProviderCall.start(provider, request("{}"));
      assertThat(call.outcome()).isInstanceOf(Outcome.Succeeded.class);
      assertThat(call.watch().acceptances()).isEmpty();
      assertThat(lookUp(provider, request("{}"), "../x")).isInstanceOf(Finding.CannotSay.class);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "429, true, RETRYABLE",
    "429, false, FINAL",
    "429, '', RETRYABLE",
    "400, true, RETRYABLE",
    "400, '', FINAL"
  })
  void the_provider_says_itself_whether_a_refusal_may_be_tried_again(
      int status, String says, Retryability expected) throws Exception {
    String header = says.isEmpty() ? "" : "Stripe-Should-Retry: " + says + "\r\n";
    String answer =
        "HTTP/1.1 " + status + " x\r\n" + header + "Retry-After: 7\r\nContent-Length: 0\r\n\r\n";
    try (RawServer server = RawServer.answering(answer)) {
      Provider provider = KeyedFarSide.stripe(server.uri(), "SERVE", LookUp.NONE);
      Outcome.Refused refused =
          (Outcome.Refused) ProviderCall.start(provider, request("{}")).outcome();
      assertThat(refused.retryability()).isEqualTo(expected);
      assertThat(refused.retryAfter())
          .isEqualTo(expected == Retryability.FINAL ? null : Duration.ofSeconds(7));
    }
  }

  @Test
  void a_json_body_keeps_numbers_carries_the_key_as_a_member_and_brings_a_part() throws Exception {
    String settings =
        """
        {"path": "/invoke?v=2", "key_kept": "30m", "key_member": "clientRequestToken",
         "headers": {"X-Version": "2"}, "id": "/job/arn", "result": "/job/output",
         "json": {"model": "m", "input": {"all": ["{{/n}}", "n is {{/n}}", 1.5, null]}}}
        """;
    String answer = "{\"job\":{\"arn\":\"arn:aws:x\",\"output\":{\"n\":1.10}}}";
    ProviderRequest request = request("{\"n\":1.230}");
    try (RawServer server = RawServer.answering(200, answer)) {
      Provider provider = plain(server.uri(), settings);
      ProviderCall call = ProviderCall.start(provider, request);

      assertThat(text(((Outcome.Succeeded) call.outcome()).result())).isEqualTo("{\"n\":1.10}");
      assertThat(call.watch().acceptances()).containsExactly(Optional.of("arn:aws:x"));
      assertThat(server.requests().getFirst())
          .startsWith("POST /invoke?v=2 HTTP/1.1\r\n")
          .contains("\r\nX-Version: 2\r\n")
          .doesNotContain("Idempotency-Key")
          .endsWith(
              "{\"model\":\"m\",\"input\":{\"all\":[1.230,\"n is 1.230\",1.5,null]},"
                  + "\"clientRequestToken\":\""
                  + request.providerKey()
                  + "\"}");
      Capabilities declared = provider.capabilities();
      assertThat(declared.submitDeduplication())
          .isEqualTo(Capabilities.SubmitDeduplication.BODY_TOKEN);
      assertThat(declared.evidenceRetention()).isEqualTo(Duration.ofMinutes(30));
      assertThat(declared.terminalState()).isEqualTo(Capabilities.TerminalState.MAY_CHANGE);
    }
  }

  private static Provider plain(URI address, String settings) {
    ObjectNode read = (ObjectNode) JsonMapper.shared().readTree(settings);
    read.put("base_url", address.toString());
    return new KeyedType().create("p", read, KeyedFarSide.context());
  }

  @Test
  void an_input_that_lacks_what_the_body_needs_is_refused_before_anything_is_sent()
      throws Exception {
    Provider provider = KeyedFarSide.stripe(peer.uri(), "{{/fate}}", LookUp.NONE);
    assertThat(ProviderCall.start(provider, request("{}")).outcome())
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.failure().message()).contains("/fate"));
    assertThat(provider.replay(request("{}"), () -> true)).isInstanceOf(Finding.CannotSay.class);
    assertThat(peer.requests()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'key_kept':null; /key_kept",
        "'key_kept':'0s'; /key_kept",
        "'profile':'stripe','key_kept':'25h'; /key_kept",
        "'json':{'a':'{{x'}; /json/a",
        "'json':null,'form':{'a':'{{x}}'}; /form/a",
        "'json':{'t':1},'key_member':'t'; /key_member",
        "'key_header':'Host'; /key_header",
        "'headers':{'host':'a'}; /headers/host",
        "'look_up':'/x','id':'/id'; /look_up",
        "'look_up':'/x/{id}'; /look_up",
        "'api_key_env':'UNSET'; /api_key_env",
        "'path':'/ x'; /path"
      })
  void a_setting_that_cannot_be_used_is_named(String changed, String pointer) {
    ObjectNode settings = (ObjectNode) JsonMapper.shared().readTree(PLAIN);
    JsonMapper.shared()
        .readTree("{" + changed.replace('\'', '"') + "}")
        .properties()
        .forEach(each -> settings.set(each.getKey(), each.getValue()));
    settings.properties().removeIf(each -> each.getValue().isNull());
    assertThatThrownBy(() -> plain(peer.uri(), settings.toString()))
        .isInstanceOfSatisfying(
            InvalidSetting.class, wrong -> assertThat(wrong.pointer()).isEqualTo(pointer));
  }

  @Test
  void a_word_of_the_state_means_one_thing() {
    String settings =
        """
        {"path": "/x", "json": {}, "key_kept": "1h",
         "state": {"at": "/s", "succeeded": ["ok"], "at_work": ["ok"]}}
        """;
    assertThatThrownBy(() -> plain(peer.uri(), settings))
        .isInstanceOfSatisfying(
            InvalidSetting.class, wrong -> assertThat(wrong.pointer()).isEqualTo("/state/at_work"));
  }
}
