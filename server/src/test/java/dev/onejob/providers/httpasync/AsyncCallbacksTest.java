package dev.onejob.providers.httpasync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Limits;
import dev.onejob.providers.ProviderTypes;
import dev.onejob.providers.httpasync.Peer.State;
import dev.onejob.providers.httpasync.Peer.Work;
import dev.onejob.server.Service;
import dev.onejob.server.config.Overrides;
import dev.onejob.server.config.SettingsLoader;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.RawHttp;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Callbacks in forms of providers' own, through a whole node: at both doors, signed and not. */
final class AsyncCallbacksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();
  @TempDir static Path folder;

  private static Peer replicate;
  private static Peer fal;
  private static Service service;
  private static ApiClient client;
  private static ApiClient nobody;

  @BeforeAll
  static void start() throws IOException {
    replicate = Peer.replicate();
    fal = Peer.fal();
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Path config =
        Files.writeString(
            folder.resolve("onejob.yaml"),
            """
            server:
              public_url: http://127.0.0.1:%d
              sweep_interval: 100ms
            kinds:
              signed: {effect: exclusive, route: [signed], attempt_timeout: 1h, attempts: 1}
              fal: {effect: exclusive, route: [fal], attempt_timeout: 1h, attempts: 1}
              open: {effect: exclusive, route: [open], attempt_timeout: 3s, attempts: 1}
            providers:
              signed:
                type: http-async
                profile: replicate
                model: owner/name
                base_url: %s/v1
                poll: {every: 1h}
                callback: {signature: {secret_env: PEER_SECRET}}
                probe: {first: 30m, max: 30m}
              fal:
                type: http-async
                profile: fal
                model: fal-ai/flux/dev
                base_url: %s
                poll: {every: 1h}
                callback: {signature: {keys_url: "%s/.well-known/jwks.json"}}
              open:
                type: http-async
                profile: replicate
                model: owner/name
                base_url: %s/v1
                poll: {every: 1h}
                probe: {first: 30m, max: 30m}
            """
                .formatted(port, replicate.uri(), fal.uri(), fal.uri(), replicate.uri()));
    SettingsLoader loader =
        new SettingsLoader(ProviderTypes.ALL, AsyncCallbacksTest::environment, folder);
    service =
        Service.start(
            loader
                .load(config)
                .with(new Overrides(postgres.url(), null, port, folder.resolve("data"), "n")),
            ProviderTypes.ALL,
            AsyncCallbacksTest::environment);
    client = new ApiClient(service.uri(), service.firstKeys().orElseThrow().keys().client());
    nobody = new ApiClient(service.uri(), "");
  }

  private static @Nullable String environment(String name) {
    return name.equals("PEER_SECRET") ? ReplicateDialect.SECRET : null;
  }

  @AfterAll
  static void stop() {
    service.close();
    replicate.close();
    fal.close();
  }

  @BeforeEach
  void answering() {
    replicate.submits(new Peer.Submit.Take(0));
    replicate.looks(new Peer.Look.Truth());
  }

  private static String submit(String kind) {
    ApiAnswer job = client.submit(UUID.randomUUID().toString(), kind, "{\"prompt\":\"a cat\"}");
    assertThat(job.status()).as(job.text()).isEqualTo(201);
    return job.at("/id");
  }

  private static ApiAnswer awaitJob(String job, String pointer, String value) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> client.get("/v1/jobs/" + job), it -> it.at(pointer).equals(value));
  }

  private static URI door(String provider) {
    return service.uri().resolve("/v1/callbacks/" + provider);
  }

  private static String heard(String provider, Work work, String event) throws Exception {
    return replicate.send(door(provider), replicate.callbackBody(work), event).body();
  }

  @Test
  void c50_before_the_submit_is_answered_it_ends_the_job_once_and_the_answer_changes_nothing()
      throws Exception {
    replicate.submits(new Peer.Submit.Take(2_000));
    String job = submit("signed");
    Work work = replicate.next();
    replicate.succeed(work, "[\"early\"]");

    assertThat(replicate.callBack(work)).isEqualTo(200);

    ApiAnswer won = awaitJob(job, "/state", "succeeded");
    assertThat(won.at("/result/0")).isEqualTo("early");
    assertThat(won.at("/attempts/0/provider_ref")).isEqualTo(work.id());
    assertThat(won.json().at("/contested").asBoolean()).isFalse();
    assertThat(replicate.callBack(work)).isEqualTo(200);
    assertThat(client.get("/v1/jobs/" + job).at("/attempts/0/state")).isEqualTo("succeeded");
    assertThat(client.get("/v1/jobs/" + job).json().at("/attempts").size()).isEqualTo(1);
  }

  @Test
  void c50_long_after_the_timeout_it_ends_the_doubt_although_the_answer_was_lost()
      throws Exception {
    replicate.submits(new Peer.Submit.Cut());
    String job = submit("signed");
    Work work = replicate.next();
    awaitJob(job, "/state", "unknown");
    replicate.end(work, State.RUNNING, "");

    assertThat(replicate.callBack(work)).isEqualTo(200); // a start event: it binds the id
    ApiAnswer bound = client.get("/v1/jobs/" + job);
    assertThat(bound.at("/attempts/0/provider_ref")).isEqualTo(work.id());
    assertThat(bound.at("/attempts/0/evidence/0/source")).isEqualTo("callback");
    assertThat(bound.at("/attempts/0/evidence/0/strength")).isEqualTo("hint");
    replicate.succeed(work, "[\"late\"]");
    assertThat(replicate.callBack(work)).isEqualTo(200);

    ApiAnswer ended = awaitJob(job, "/state", "succeeded");
    assertThat(ended.at("/result/0")).isEqualTo("late");
    assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
  }

  @Test
  void at_the_attempt_s_address_a_signature_has_to_hold_besides_the_secret() throws Exception {
    String job = submit("signed");
    Work work = replicate.next();
    replicate.succeed(work, "1");
    URI address = URI.create(work.body.path("webhook").stringValue());
    byte[] body = replicate.callbackBody(work);

    assertThat(Peer.post(address, body, Map.of()).statusCode()).isEqualTo(403);
    assertThat(nobody.post(address.getPath(), new String(body, UTF_8)).code())
        .isEqualTo("signature-invalid");
    assertThat(client.get("/v1/jobs/" + job).at("/state")).isEqualTo("running");
    assertThat(replicate.send(address, "{\"id\":1,\"id\":2}".getBytes(UTF_8), "e").statusCode())
        .isEqualTo(400);
    assertThat(replicate.send(address, "[]".getBytes(UTF_8), "e").statusCode()).isEqualTo(400);
    assertThat(replicate.callBack(work)).isEqualTo(200);
    awaitJob(job, "/state", "succeeded");
  }

  @Test
  void fal_s_signature_is_checked_by_its_published_keys_and_an_error_is_a_failure()
      throws Exception {
    String good = submit("fal");
    Work done = fal.next();
    String bad = submit("fal");
    Work broken = fal.next();
    fal.succeed(done, "{\"images\":[]}");
    fal.end(broken, State.FAILED, "Invalid status code: 422");

    assertThat(fal.callBack(done)).isEqualTo(200);
    assertThat(fal.callBack(broken)).isEqualTo(200);

    assertThat(awaitJob(good, "/state", "succeeded").json().at("/result/images").isArray())
        .isTrue();
    assertThat(awaitJob(bad, "/state", "failed").at("/attempts/0/failure/code"))
        .isEqualTo("provider-failed");
  }

  @Test
  void at_the_provider_s_address_an_event_is_matched_by_id_and_taken_once() throws Exception {
    String job = submit("signed");
    Work work = replicate.next();
    await()
        .atMost(PATIENCE)
        .until(
            () -> client.get("/v1/jobs/" + job).at("/attempts/0/provider_ref").equals(work.id()));
    replicate.succeed(work, "2");
    String event = "evt-" + UUID.randomUUID();

    assertThat(heard("signed", work, event)).isEqualTo("{\"heard\":\"taken\"}");
    assertThat(heard("signed", work, event)).isEqualTo("{\"heard\":\"repeated\"}");
    assertThat(awaitJob(job, "/state", "succeeded").at("/result")).isEqualTo("2");

    // The same event with another body is another event, and contradicts the first.
    replicate.end(work, State.FAILED, "no, after all");
    assertThat(heard("signed", work, event)).isEqualTo("{\"heard\":\"taken\"}");
    ApiAnswer contradicted = client.get("/v1/jobs/" + job);
    assertThat(contradicted.at("/state")).isEqualTo("succeeded");
    assertThat(contradicted.at("/attempts/0/evidence/0/says"))
        .isEqualTo("failed: provider-failed, ended as succeeded");
    assertThat(contradicted.at("/attempts/0/evidence/0/source")).isEqualTo("callback");
  }

  @Test
  void a_success_after_a_failure_contests_the_job() throws Exception {
    String job = submit("signed");
    Work work = replicate.next();
    replicate.end(work, State.FAILED, "out of memory");
    replicate.callBack(work);
    awaitJob(job, "/state", "failed");
    replicate.end(work, State.SUCCEEDED, "");
    replicate.succeed(work, "3");

    assertThat(heard("signed", work, "evt-" + UUID.randomUUID())).contains("taken");

    ApiAnswer contested = awaitJob(job, "/contested", "true");
    assertThat(contested.at("/state")).isEqualTo("failed");
  }

  @Test
  void an_event_that_comes_before_its_id_is_on_record_is_kept_and_finds_its_attempt()
      throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    replicate.submits(new Peer.Submit.TakeAfter(told));
    String job = submit("signed");
    Work work = replicate.next();
    replicate.succeed(work, "[\"kept\"]");
    String event = "evt-" + UUID.randomUUID();

    assertThat(heard("signed", work, event)).isEqualTo("{\"heard\":\"kept\"}");
    assertThat(heard("signed", work, event)).isEqualTo("{\"heard\":\"kept\"}");
    told.countDown();

    assertThat(awaitJob(job, "/state", "succeeded").at("/result/0")).isEqualTo("kept");
    await()
        .atMost(PATIENCE)
        .until(() -> heard("signed", work, event).equals("{\"heard\":\"repeated\"}"));
  }

  @Test
  void without_a_signature_that_is_configured_it_is_only_a_reason_to_look() throws Exception {
    String job = submit("open");
    Work work = replicate.next();
    awaitJob(job, "/state", "unknown");
    replicate.succeed(work, "[\"truth\"]");
    String forged = "{\"id\":\"" + work.id() + "\",\"status\":\"succeeded\",\"output\":\"forged\"}";

    ApiAnswer unknown =
        nobody.post("/v1/callbacks/open", forged.replace(work.id(), "never-heard-of"));
    assertThat(unknown.text()).isEqualTo("{\"heard\":\"looking\"}");
    assertThat(client.get("/v1/jobs/" + job).at("/state")).isEqualTo("unknown");
    await() // the first question would be in half an hour
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              assertThat(nobody.post("/v1/callbacks/open", forged).text())
                  .isEqualTo("{\"heard\":\"looking\"}");
              return client.get("/v1/jobs/" + job).at("/state").equals("succeeded");
            });
    ApiAnswer ended = client.get("/v1/jobs/" + job);
    assertThat(ended.at("/result/0")).isEqualTo("truth");
    assertThat(ended.text()).doesNotContain("forged");
  }

  @Test
  void what_is_not_the_provider_s_or_of_no_provider_changes_nothing() throws Exception {
    Work work = workOfAJobThatRuns();
    byte[] body = replicate.callbackBody(work);

    assertThat(nobody.post("/v1/callbacks/signed", new String(body, UTF_8)).code())
        .isEqualTo("signature-invalid");
    assertThat(nobody.post("/v1/callbacks/nobody", "{}").code()).isEqualTo("not-found");
    assertThat(nobody.get("/v1/callbacks/signed").status()).isEqualTo(405);
    assertThat(replicate.send(door("signed"), "{".getBytes(UTF_8), "e1").statusCode())
        .isEqualTo(400);
    assertThat(
            replicate
                .send(door("signed"), "{\"status\":\"succeeded\"}".getBytes(UTF_8), "e2")
                .statusCode())
        .isEqualTo(400);
  }

  /** Nothing of the body is sent: who waited for it would not answer. */
  private static ApiAnswer unread(String path, long announced, String... headers) {
    String head =
        "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
            .formatted(path, announced);
    return RawHttp.send(
        service.uri(),
        head + String.join("", List.of(headers)) + "\r\n",
        "POST " + URI.create(path).getPath());
  }

  private static String[] signedAt(Instant time) {
    return new String[] {
      "webhook-id: e\r\n",
      "webhook-timestamp: " + time.getEpochSecond() + "\r\n",
      "webhook-signature: v1,AAAA\r\n"
    };
  }

  @Test
  void what_the_headers_show_not_to_be_the_provider_s_is_refused_before_its_body_is_read()
      throws Exception {
    String[] old = signedAt(Instant.now().minus(Duration.ofHours(1)));
    String ofAttempt = workOfAJobThatRuns().body.path("webhook").stringValue();
    String attempt = URI.create(ofAttempt).getPath();

    assertThat(unread("/v1/callbacks/nobody", 100).code()).isEqualTo("not-found");
    for (String path : List.of("/v1/callbacks/signed", "/v1/callbacks/fal", attempt)) {
      assertThat(unread(path, 100).code()).as(path).isEqualTo("signature-invalid");
    }
    for (String path : List.of("/v1/callbacks/signed", attempt)) {
      assertThat(unread(path, 100, old).at("/detail")).contains("webhook-timestamp is too far");
    }
  }

  @Test
  void a_callback_of_more_than_a_mebibyte_is_refused_before_it_is_read() throws Exception {
    String[] fresh = signedAt(Instant.now());
    String ofAttempt = workOfAJobThatRuns().body.path("webhook").stringValue();
    long most = Limits.CALLBACK_BYTES_MAX;

    for (String path :
        List.of("/v1/callbacks/open", "/v1/callbacks/signed", URI.create(ofAttempt).getPath())) {
      ApiAnswer answer = unread(path, most + 1, fresh);
      assertThat(answer.code()).as(path).isEqualTo("body-too-large");
      assertThat(answer.at("/limit_bytes")).isEqualTo(Long.toString(most));
    }
    String largest = "{\"id\":\"w\"," + " ".repeat((int) most - 20) + "\"a\":\"b\"}";
    assertThat(nobody.post("/v1/callbacks/open", largest).text())
        .isEqualTo("{\"heard\":\"looking\"}");
    assertThat(nobody.post("/v1/callbacks/open", largest + " ".repeat(20)).code())
        .isEqualTo("body-too-large");
  }

  private static Work workOfAJobThatRuns() throws InterruptedException {
    submit("signed");
    Work work = replicate.next();
    replicate.succeed(work, "9");
    return work;
  }
}
