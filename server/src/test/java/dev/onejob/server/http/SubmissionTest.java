package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.testkit.ScriptedProvider;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Submitting an intent, and submitting it again. */
final class SubmissionTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  @Test
  void a_new_intent_is_answered_with_201_its_place_and_the_job() {
    ApiAnswer answer =
        api.client()
            .submit(
                "k1",
                "{\"kind\":\"plain\",\"input\": {\"b\" : 1.0, \"a\":\"\\u00e9\"} ,\"priority\":7,"
                    + "\"tags\":[\"order:17\"],\"deadline\":3600,\"route\":[\"b\",\"a\"]}");
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.header("Location")).contains("/v1/jobs/" + answer.at("/id"));
    assertThat(answer.header("Idempotency-Replayed")).isEmpty();
    assertThat(answer.header("Cache-Control")).contains("no-store");
    assertThat(answer.at("/owner")).isEqualTo("shop");
    assertThat(answer.at("/key")).isEqualTo("k1");
    assertThat(answer.at("/priority")).isEqualTo("7");
    assertThat(answer.at("/tags/0")).isEqualTo("order:17");
    assertThat(answer.at("/route/0")).isEqualTo("b");
    assertThat(answer.at("/deadline")).isNotEmpty();
  }

  @Test
  void the_input_comes_back_byte_for_byte() {
    String input = "{ \"b\" : 1.0,\"a\":\"\\u00e9é\\/\" ,\n \"n\":1e2 }";
    ApiAnswer answer = api.client().submit("k1", "plain", input);
    assertThat(answer.text()).contains("\"input\":" + input + ",");
    assertThat(api.client().get("/v1/jobs/" + answer.at("/id")).text())
        .contains("\"input\":" + input + ",");
  }

  @Test
  void the_result_is_shown_as_the_provider_gave_it() {
    ApiAnswer submitted = api.client().submit("k1", "plain", "{}");
    api.node().a.next().succeed("{ \"pages\" : 2.50 }");
    ApiAnswer job = ApiNode.awaitJob(api.client(), submitted.at("/id"), "/state", "succeeded");
    assertThat(job.text()).contains("\"result\":{ \"pages\" : 2.50 },\"result_format\":\"json\"");
    assertThat(job.at("/completed_by")).isEqualTo(job.at("/attempts/0/id"));
  }

  /** C28 (b), as far as the API shows it. */
  @Test
  void a_result_with_an_escaped_nul_is_shown() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    api.node().a.next().succeed("{\"t\":\"a\\u0000b\"}");
    ApiAnswer ended = ApiNode.awaitJob(api.client(), job, "/state", "succeeded");
    assertThat(ended.text()).contains("a\\u0000b");
    assertThat(api.node().a.calls()).hasSize(1);
  }

  /** C14. */
  @Test
  void a_repeat_answers_200_with_the_same_job_in_each_of_its_states() {
    ApiAnswer first = api.client().submit("k1", "patient", "{}");
    ScriptedProvider.Call call = api.node().a.next();
    assertRepeat(first, "running");
    call.succeed("1");
    ApiNode.awaitJob(api.client(), first.at("/id"), "/state", "succeeded");
    assertRepeat(first, "succeeded");
  }

  /** C14. */
  @Test
  void a_repeat_of_a_failed_job_shows_the_failure_and_runs_nothing() {
    ApiAnswer first =
        api.client().submit("k1", "{\"kind\":\"plain\",\"input\":{},\"route\":[\"a\"]}");
    api.node().a.next().answer(ScriptedProvider.refused());
    ApiNode.awaitJob(api.client(), first.at("/id"), "/state", "failed");
    ApiAnswer again =
        api.client().submit("k1", "{\"kind\":\"plain\",\"route\":[\"a\"],\"input\":{}}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.at("/id")).isEqualTo(first.at("/id"));
    assertThat(again.at("/state")).isEqualTo("failed");
    assertThat(again.at("/failure/code")).isEqualTo("refused");
    assertThat(api.node().a.calls()).hasSize(1);
  }

  private void assertRepeat(ApiAnswer first, String state) {
    ApiAnswer again = api.client().submit("k1", "patient", "{}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.header("Idempotency-Replayed")).contains("true");
    assertThat(again.header("Location")).contains("/v1/jobs/" + first.at("/id"));
    assertThat(again.at("/id")).isEqualTo(first.at("/id"));
    assertThat(again.at("/state")).isEqualTo(state);
    assertThat(again.at("/attempts_started")).isEqualTo("1");
  }

  @Test
  void the_same_key_with_another_input_is_a_conflict_that_names_the_button() {
    ApiAnswer first = api.client().submit("k1", "plain", "{\"n\":1}");
    ApiAnswer other = api.client().submit("k1", "plain", "{\"n\":2}");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.code()).isEqualTo("intent-mismatch");
    assertThat(other.at("/job_id")).isEqualTo(first.at("/id"));
    assertThat(other.at("/detail")).contains("/v1/jobs/" + first.at("/id") + "/attempts");
    assertThat(api.client().submit("k1", "plain", "{\"n\":1}").at("/id"))
        .isEqualTo(first.at("/id"));
  }

  @Test
  void an_explicit_route_is_another_intent_than_none() {
    api.client().submit("k1", "plain", "{}");
    ApiAnswer routed =
        api.client().submit("k1", "{\"kind\":\"plain\",\"input\":{},\"route\":[\"b\"]}");
    assertThat(routed.code()).isEqualTo("intent-mismatch");
  }

  /** C22. */
  @Test
  void two_owners_with_one_key_have_two_jobs() {
    ApiClient other = api.node().client(Role.CLIENT, "bakery");
    ApiAnswer mine = api.client().submit("1", "plain", "{\"p\":\"secret\"}");
    ApiAnswer theirs = other.submit("1", "plain", "{\"p\":\"secret\"}");
    ApiAnswer third = api.node().client(Role.CLIENT, "mill").submit("1", "plain", "{\"p\":\"x\"}");
    assertThat(theirs.status()).isEqualTo(201);
    assertThat(third.status()).isEqualTo(201);
    assertThat(theirs.at("/id")).isNotEqualTo(mine.at("/id"));
    assertThat(theirs.at("/owner")).isEqualTo("bakery");
  }

  @Test
  void who_asks_for_little_gets_the_id_alone() {
    ApiAnswer answer =
        api.client()
            .send(
                "POST",
                "/v1/jobs",
                "{\"kind\":\"plain\",\"input\":{}}",
                Map.of("Idempotency-Key", "k1", "Prefer", "return=minimal"));
    assertThat(answer.text()).isEqualTo("{\"id\":\"" + answer.at("/id") + "\"}");
    assertThat(answer.header("Preference-Applied")).contains("return=minimal");
  }

  @Test
  void a_waiting_submission_is_answered_when_the_job_has_ended() {
    api.node().a.always(ScriptedProvider.succeeded("\"done\""));
    ApiAnswer answer =
        api.client()
            .send(
                "POST",
                "/v1/jobs",
                "{\"kind\":\"plain\",\"input\":{}}",
                Map.of("Idempotency-Key", "k1", "Prefer", "respond-async, WAIT=\"90\""));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.at("/state")).isEqualTo("succeeded");
    assertThat(answer.header("Preference-Applied")).contains("wait=60");
  }

  @Test
  void a_wait_that_is_over_is_answered_with_the_job_as_it_is() {
    ApiAnswer answer =
        api.client()
            .send(
                "POST",
                "/v1/jobs?wait=1",
                "{\"kind\":\"plain\",\"input\":{}}",
                Map.of("Idempotency-Key", "k1"));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.at("/state")).isIn("running", "unknown");
    assertThat(answer.header("Preference-Applied")).isEmpty();
  }
}
