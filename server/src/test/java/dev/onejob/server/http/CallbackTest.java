package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.engine.Access;
import dev.onejob.engine.Admitted;
import dev.onejob.engine.EngineConfig;
import dev.onejob.engine.JobEngine;
import dev.onejob.server.http.operation.CallbackRoute;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.ScriptedProvider;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The callback address of an attempt: its own secret is the credential. */
final class CallbackTest {
  private static final String DONE = "{\"outcome\":\"succeeded\",\"result\":{\"n\": 1.50}}";

  @RegisterExtension static final ApiExtension api = new ApiExtension();

  private ApiClient provider;

  @BeforeEach
  void withoutAKey() {
    provider = new ApiClient(api.node().uri(), "");
  }

  /** An attempt under way. */
  private record Started(String job, ScriptedProvider.Call call) {
    String path() {
      return call.request().callback().getPath();
    }
  }

  private static Started started() {
    String job = api.client().submit(UUID.randomUUID().toString(), "patient", "{}").at("/id");
    ScriptedProvider.Call call = api.node().a.next();
    while (!call.request().jobId().toString().equals(job)) { // of a test before, which left it
      call = api.node().a.next();
    }
    return new Started(job, call);
  }

  private static ApiAnswer job(Started started) {
    return api.client().get("/v1/jobs/" + started.job());
  }

  @Test
  void a_result_ends_the_job_is_kept_as_it_came_and_is_answered_with_the_state() {
    Started started = started();

    ApiAnswer answer = provider.post(started.path(), DONE);
    ApiAnswer again = provider.post(started.path(), DONE);

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text())
        .isEqualTo(
            "{\"id\":\"%s\",\"state\":\"succeeded\",\"lost_to\":null,\"breaches\":[]}"
                .formatted(started.call().request().attemptId()));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text()).isEqualTo(answer.text());
    assertThat(job(started).at("/state")).isEqualTo("succeeded");
    assertThat(job(started).text()).contains("\"result\":{\"n\": 1.50},");
  }

  @Test
  void a_result_for_a_kind_that_the_node_does_not_know_is_to_be_brought_again() {
    ScriptedProvider elsewhere = new ScriptedProvider();
    EngineConfig config =
        Engines.config(List.of(Engines.exclusive("elsewhere", "a")), Map.of("a", elsewhere))
            .with(new CallbackRoute(api.node().uri()));
    try (JobEngine other = JobEngine.start(api.database(), config)) {
      Admitted admitted =
          other.submit(Engines.submission(UUID.randomUUID().toString(), "elsewhere", "{}"));
      JobId job = ((Admitted.Created) admitted).id();
      String path = elsewhere.next().request().callback().getPath();

      ApiAnswer refused = provider.post(path, DONE);

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.code()).isEqualTo("node-lacks-kind");
      assertThat(refused.at("/kind")).isEqualTo("elsewhere");
      assertThat(refused.header("Retry-After")).contains("5");
      Job after = other.job(Access.ALL, job).orElseThrow();
      assertThat(after.standing().completedBy()).isNull();
      assertThat(after.attempts().getFirst().evidence()).isEmpty();
      ApiAnswer failed = provider.post(path, "{\"outcome\":\"failed\",\"code\":\"no-luck\"}");
      assertThat(failed.at("/state")).isEqualTo("failed");
    }
  }

  @Test
  void one_whose_provider_the_node_does_not_know_is_to_be_brought_again_whatever_it_says() {
    ScriptedProvider elsewhere = new ScriptedProvider();
    EngineConfig config =
        Engines.config(
                List.of(Engines.exclusive("plain", "stranger")), Map.of("stranger", elsewhere))
            .with(new CallbackRoute(api.node().uri()));
    try (JobEngine other = JobEngine.start(api.database(), config)) {
      Admitted admitted =
          other.submit(Engines.submission(UUID.randomUUID().toString(), "plain", "{}"));
      JobId job = ((Admitted.Created) admitted).id();
      String path = elsewhere.next().request().callback().getPath();

      for (String body : List.of(DONE, "{\"status\":\"of its own\"}")) {
        ApiAnswer refused = provider.post(path, body);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.code()).isEqualTo("node-lacks-kind");
        assertThat(refused.text()).contains("the provider stranger");
      }
      assertThat(other.job(Access.ALL, job).orElseThrow().standing().completedBy()).isNull();
    }
  }

  @Test
  void a_failure_and_a_stop_are_taken_too() {
    Started failed = started();
    Started stopped = started();

    provider.post(failed.path(), "{\"outcome\":\"failed\",\"code\":\"no-luck\",\"message\":\"m\"}");
    provider.post(stopped.path(), "{\"outcome\":\"stopped\"}");

    assertThat(job(failed).at("/attempts/0/failure/code")).isEqualTo("no-luck");
    assertThat(job(failed).at("/attempts/0/state")).isEqualTo("failed");
    assertThat(job(stopped).at("/attempts/0/state")).isEqualTo("cancelled");
  }

  @Test
  void after_a_doubt_it_is_shown_as_evidence() {
    ApiAnswer inDoubt = api.jobInDoubt(UUID.randomUUID().toString());
    String path = api.node().a.calls().getLast().request().callback().getPath();

    provider.post(path, DONE);

    ApiAnswer ended = api.client().get("/v1/jobs/" + inDoubt.at("/id"));
    assertThat(ended.at("/state")).isEqualTo("succeeded");
    assertThat(ended.at("/attempts/0/evidence/0/source")).isEqualTo("callback");
    assertThat(ended.at("/attempts/0/evidence/0/strength")).isEqualTo("proof");
  }

  @Test
  void a_wrong_secret_and_an_attempt_that_never_was_get_the_same_404() {
    Started started = started();
    String path = started.path();
    String secret = path.substring(path.lastIndexOf('/') + 1);
    String wrong = path.substring(0, path.length() - 1) + (secret.endsWith("A") ? "B" : "A");

    ApiAnswer wrongSecret = provider.post(wrong, DONE);
    ApiAnswer never =
        provider.post("/v1/callbacks/attempts/att_01ARZ3NDEKTSV4RRFFQ69G5FAV/" + secret, DONE);
    ApiAnswer noId = provider.post("/v1/callbacks/attempts/x/" + secret, DONE);

    assertThat(wrongSecret.status()).isEqualTo(404);
    assertThat(wrongSecret.code()).isEqualTo("not-found");
    assertThat(never.text()).isEqualTo(wrongSecret.text());
    assertThat(noId.text()).isEqualTo(wrongSecret.text());
    assertThat(job(started).at("/state")).isEqualTo("running");
    started.call().succeed("1");
  }

  @Test
  void a_wrong_secret_is_told_before_the_body_is_looked_at_and_an_api_key_is_none() {
    Started started = started();
    String wrong = started.path() + "x";

    assertThat(provider.post(wrong, "{").status()).isEqualTo(404);
    assertThat(api.operator().post(wrong, DONE).status()).isEqualTo(404);
    started.call().succeed("1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {                                                       | body-invalid
          []                                                      | body-invalid
          {"outcome":"stopped","outcome":"stopped"}               | body-invalid
          {"outcome":"stopped","lease_token":"x"}                 | body-invalid
          {}                                                      | field-invalid
          {"outcome":"in_doubt"}                                  | field-invalid
          {"outcome":"succeeded"}                                 | field-invalid
          {"outcome":"succeeded","result":1,"code":"x"}           | field-invalid
          {"outcome":"stopped","message":"x"}                     | field-invalid
          {"outcome":"failed","code":"Not a code"}                | field-invalid
          {"outcome":"failed","retry_after":-1}                   | field-invalid
          """)
  void what_is_not_understood_is_refused_and_changes_nothing(String body, String code) {
    Started started = started();

    ApiAnswer answer = provider.post(started.path(), body);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(job(started).at("/state")).isEqualTo("running");
    started.call().succeed("1");
  }

  @Test
  void an_empty_body_is_refused_and_another_method_has_no_place() {
    Started started = started();

    assertThat(provider.post(started.path(), "").code()).isEqualTo("body-invalid");
    assertThat(provider.get(started.path()).status()).isEqualTo(405);
    assertThat(
            provider
                .send("POST", started.path(), "a=b", Map.of("Content-Type", "text/plain"))
                .status())
        .isEqualTo(415);
    started.call().succeed("1");
  }

  @Test
  void no_answer_of_the_api_shows_a_callback_address() {
    Started started = started();
    String path = started.path();
    String secret = path.substring(path.lastIndexOf('/') + 1);

    assertThat(job(started).text()).doesNotContain(secret);
    assertThat(api.operator().get("/v1/attempts/" + started.call().request().attemptId()).text())
        .doesNotContain(secret);
    started.call().succeed("1");
    ApiNode.awaitJob(api.client(), started.job(), "/state", "succeeded");
  }
}
