package dev.onejob.providers.httpasync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Finding;
import dev.onejob.provider.Inquiry;
import dev.onejob.provider.Outcome;
import dev.onejob.provider.Provider;
import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.RawServer;
import dev.onejob.providers.httpasync.Peer.State;
import dev.onejob.providers.httpasync.Peer.Work;
import dev.onejob.testkit.ProviderCall;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What the adapter sends, and how it takes what it sees. */
final class HttpAsyncTest {
  private static final Duration AMPLE = Duration.ofSeconds(60);
  private static final URI CALLBACK =
      URI.create("https://jobs.example.com/v1/callbacks/x/y?a=b c".replace(" ", "%20"));

  private Peer replicate;
  private Peer fal;

  @BeforeEach
  void start() throws IOException {
    replicate = Peer.replicate();
    fal = Peer.fal();
  }

  @AfterEach
  void close() {
    replicate.close();
    fal.close();
  }

  private static ProviderRequest request(Duration timeout) {
    ProviderRequest plain =
        ProviderCall.request("{\"prompt\":\"a cat\"}".getBytes(UTF_8), timeout, Duration.ZERO);
    return new ProviderRequest(
        plain.jobId(),
        plain.attemptId(),
        1,
        plain.owner(),
        plain.kind(),
        plain.providerKey(),
        plain.input(),
        timeout,
        Duration.ZERO,
        CALLBACK);
  }

  private static ProviderCall call(Provider provider) {
    return ProviderCall.start(provider, request(AMPLE));
  }

  private static Finding lookup(Provider provider, String id) throws InterruptedException {
    ProviderRequest asked = request(AMPLE);
    return provider.lookup(
        new Inquiry(
            asked.jobId(), asked.attemptId(), 1, asked.kind(), asked.providerKey(), id, AMPLE));
  }

  @Test
  void at_replicate_it_submits_once_follows_the_prediction_and_brings_its_output()
      throws Exception {
    ProviderCall call = call(Adapters.of(Adapters.replicate(replicate.uri())));
    Work work = replicate.next();
    await().atMost(AMPLE).until(() -> replicate.looks() > 2);
    replicate.succeed(work, "[\"https://example.com/1.webp\"]");

    Outcome.Succeeded done = (Outcome.Succeeded) call.outcome();

    assertThat(new String(done.result().bytes(), UTF_8))
        .isEqualTo("[\"https://example.com/1.webp\"]");
    assertThat(done.cost()).isEqualTo("{\"predict_time\":0.5}");
    assertThat(call.watch().acceptances()).containsExactly(Optional.of(work.id));
    assertThat(replicate.submits()).isEqualTo(1);
    assertThat(work.path).isEqualTo("/v1/models/owner/name/predictions");
    assertThat(work.header("Authorization")).isEqualTo("Bearer the-key");
    assertThat(work.header("Idempotency-Key")).isEmpty();
    assertThat(BoundedJson.text(work.body))
        .isEqualTo(
            "{\"input\":{\"prompt\":\"a cat\"},\"webhook\":\""
                + CALLBACK
                + "\",\"webhook_events_filter\":[\"start\",\"completed\"]}");
  }

  @Test
  void at_fal_the_address_goes_into_the_query_retries_are_off_and_the_app_alone_is_asked()
      throws Exception {
    ProviderCall call = call(Adapters.of(Adapters.fal(fal.uri())));
    Work work = fal.next();
    fal.succeed(work, "{\"images\":[]}");

    Outcome.Succeeded done = (Outcome.Succeeded) call.outcome();

    assertThat(new String(done.result().bytes(), UTF_8)).isEqualTo("{\"images\":[]}");
    assertThat(work.path).isEqualTo("/fal-ai/flux/dev");
    assertThat(new FalDialect().callbackAddress(work)).contains(CALLBACK);
    assertThat(work.header("X-Fal-No-Retry")).isEqualTo("1");
    assertThat(work.header("Authorization")).isEqualTo("Key the-key");
    assertThat(BoundedJson.text(work.body)).isEqualTo("{\"prompt\":\"a cat\"}");
    assertThat(fal.submits()).isEqualTo(1);
  }

  @Test
  void what_has_failed_or_was_stopped_is_told_in_the_provider_s_words() throws Exception {
    Provider provider = Adapters.of(Adapters.replicate(replicate.uri()));
    ProviderCall failing = call(provider);
    replicate.end(replicate.next(), State.FAILED, "out of memory");
    ProviderCall stopping = call(provider);
    replicate.end(replicate.next(), State.CANCELLED, "");
    ProviderCall falling = call(Adapters.of(Adapters.fal(fal.uri())));
    fal.end(fal.next(), State.FAILED, "Invalid status code: 422");

    Outcome.Failed failed = (Outcome.Failed) failing.outcome();

    assertThat(failed.failure().code()).isEqualTo("provider-failed");
    assertThat(failed.failure().message()).contains("out of memory");
    assertThat(((Outcome.Stopped) stopping.outcome()).message()).contains("canceled");
    assertThat(((Outcome.Failed) falling.outcome()).failure().message()).contains("422");
  }

  @Test
  void a_failure_that_may_change_is_no_proof_to_who_polls_either_and_a_useless_result_is()
      throws Exception {
    ObjectNode settings = Adapters.replicate(replicate.uri());
    settings.withObjectProperty("promises").put("ended", "may-change");
    settings.withObjectProperty("result").put("format", "text");
    Provider provider = Adapters.of(settings);
    ProviderCall failing = call(provider);
    replicate.end(replicate.next(), State.FAILED, "out of memory");
    ProviderCall useless = call(provider);
    replicate.succeed(replicate.next(), "7");

    Outcome.InDoubt doubt = (Outcome.InDoubt) failing.outcome();

    assertThat(doubt.reason().code()).isEqualTo("end-may-change");
    assertThat(doubt.reason().message()).contains("out of memory");
    assertThat(((Outcome.Failed) useless.outcome()).failure().code()).isEqualTo("result-invalid");
  }

  @Test
  void a_stop_cancels_what_is_at_work_once_and_never_what_has_ended() throws Exception {
    Provider provider = Adapters.of(Adapters.replicate(replicate.uri()));
    ProviderCall unwanted = call(provider);
    Work work = replicate.next();
    await().atMost(AMPLE).until(() -> replicate.looks() > 0);
    unwanted.watch().stop();
    assertThat(unwanted.outcome()).isInstanceOf(Outcome.Stopped.class);
    assertThat(replicate.cancels()).containsExactly(work.id);

    ObjectNode slow = Adapters.replicate(replicate.uri());
    slow.withObjectProperty("poll").put("every", "1h");
    ProviderCall ended = call(Adapters.of(slow));
    Work done = replicate.next();
    await().atMost(AMPLE).until(() -> !ended.watch().acceptances().isEmpty());
    replicate.succeed(done, "1");
    ended.watch().stop();
    assertThat(ended.outcome()).isInstanceOf(Outcome.Succeeded.class);
    assertThat(replicate.cancels()).containsExactly(work.id);
  }

  @Test
  void words_it_does_not_know_faults_and_redirects_end_nothing_until_its_time_is_over()
      throws Exception {
    Provider provider = Adapters.of(Adapters.replicate(replicate.uri()));
    for (Peer.Look.Say say :
        new Peer.Look.Say[] {
          new Peer.Look.Say(200, "{\"status\":\"pondering\"}", Map.of()),
          new Peer.Look.Say(500, "{\"status\":\"failed\"}", Map.of()),
          new Peer.Look.Say(404, "{\"status\":\"failed\"}", Map.of()),
          new Peer.Look.Say(200, "{\"status\":\"failed\",\"status\":\"succeeded\"}", Map.of()),
          new Peer.Look.Say(302, "", Map.of("Location", replicate.uri() + "/elsewhere"))
        }) {
      replicate.looks(say);
      ProviderCall call = ProviderCall.start(provider, request(Duration.ofMillis(400)));
      assertThat(call.outcome())
          .as("%s", say)
          .isInstanceOfSatisfying(
              Outcome.InDoubt.class,
              doubt -> assertThat(doubt.reason().code()).isEqualTo("timeout"));
    }
    assertThat(replicate.submits()).isEqualTo(5);
  }

  @Test
  void it_is_not_asked_again_before_it_wishes() throws Exception {
    replicate.looks(new Peer.Look.Say(429, "{}", Map.of("Retry-After", "3600")));
    ProviderCall call =
        ProviderCall.start(
            Adapters.of(Adapters.replicate(replicate.uri())), request(Duration.ofSeconds(2)));

    assertThat(call.outcome()).isInstanceOf(Outcome.InDoubt.class);
    assertThat(replicate.looks()).isEqualTo(1);
  }

  @Test
  void an_answer_without_an_id_that_can_be_asked_by_leaves_the_submit_in_doubt() throws Exception {
    Provider provider = Adapters.of(Adapters.replicate(replicate.uri()));
    for (String body :
        new String[] {
          "{}",
          "{\"id\":null}",
          "{\"id\":\"..\"}",
          "{\"id\":\"a b\"}",
          "{\"id\":\"a\",\"id\":\"b\"}",
          "{\"id\":\"" + "x".repeat(600) + "\"}",
          "[]"
        }) {
      replicate.submits(new Peer.Submit.Say(201, body));
      ProviderCall call = call(provider);
      assertThat(call.outcome()).as(body).isInstanceOf(Outcome.InDoubt.class);
      assertThat(call.watch().acceptances()).isEmpty();
    }
    assertThat(replicate.looks()).isZero();
  }

  @Test
  void an_address_that_the_provider_names_is_followed_on_the_configured_host_only()
      throws Exception {
    try (RawServer stranger = RawServer.answering(200, "{\"status\":\"COMPLETED\"}")) {
      String taken =
          """
          {"request_id": "r1", "status_url": "%s/status", "response_url": "%s/x",
           "cancel_url": "file:///etc/passwd"}
          """
              .formatted(stranger.uri(), stranger.uri().toString().replace("http", "https"));
      fal.submits(new Peer.Submit.Say(200, taken));
      ProviderCall call =
          ProviderCall.start(Adapters.of(Adapters.fal(fal.uri())), request(Duration.ofSeconds(2)));

      assertThat(call.outcome()).isInstanceOf(Outcome.InDoubt.class);
      assertThat(stranger.requests()).isEmpty();
      assertThat(fal.looks()).isPositive();
    }
  }

  @Test
  void a_look_up_by_id_says_what_became_of_it_and_a_result_that_is_gone_is_none() throws Exception {
    Provider provider = Adapters.of(Adapters.replicate(replicate.uri()));
    call(provider);
    Work work = replicate.next();

    assertThat(lookup(provider, work.id)).isEqualTo(new Finding.AtWork(work.id));
    assertThat(lookup(provider, "never")).isInstanceOf(Finding.NotFound.class);
    replicate.end(work, State.SUCCEEDED, "");
    assertThat(lookup(provider, work.id)).isInstanceOf(Finding.CannotSay.class);
    replicate.succeed(work, "7");
    assertThat(((Finding.Succeeded) lookup(provider, work.id)).result().bytes())
        .isEqualTo("7".getBytes(UTF_8));
    replicate.end(work, State.FAILED, "no");
    assertThat(lookup(provider, work.id)).isInstanceOf(Finding.Failed.class);
    assertThat(replicate.submits()).isEqualTo(1);
  }

  @Test
  void it_promises_what_is_known_of_the_profile_and_nothing_more() {
    Capabilities known = Adapters.of(Adapters.replicate(replicate.uri())).capabilities();
    Capabilities cautious = Adapters.of(Adapters.fal(fal.uri())).capabilities();

    assertThat(known)
        .isEqualTo(
            new Capabilities(
                Capabilities.SubmitDeduplication.NONE,
                Capabilities.ReferenceSurvival.CALLBACK_ADDRESS,
                Capabilities.StatusProbe.BY_PROVIDER_ID,
                Capabilities.NegativeAnswer.MAY_COME_LATER,
                Capabilities.Cancel.BEST_EFFORT,
                Capabilities.TerminalState.STABLE,
                Capabilities.HiddenReexecution.NONE,
                Capabilities.BillingOnCancel.PARTIAL,
                null,
                Duration.ofHours(1)));
    assertThat(cautious.evidenceRetention()).isNull();
    assertThat(cautious.hiddenReexecution()).isEqualTo(Capabilities.HiddenReexecution.UNKNOWN);
  }
}
