package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.testkit.ScriptedProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fallback button: when it starts an attempt, and what it says when it does not. */
final class FallbackTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  @Test
  void a_job_in_doubt_is_blocked_and_says_how_the_doubt_can_end() {
    ApiAnswer job = api.jobInDoubt("k");
    ApiAnswer pressed = press(job.at("/id"), "");
    String attempt = job.at("/attempts/0/id");
    assertThat(pressed.status()).isEqualTo(409);
    assertThat(pressed.code()).isEqualTo("attempt-blocked");
    assertThat(pressed.at("/blocking_attempt")).isEqualTo(attempt);
    assertThat(pressed.at("/blocking_state")).isEqualTo("unknown");
    assertThat(pressed.at("/reason")).isEqualTo("attempt_unknown");
    assertThat(pressed.at("/resolve_with/url"))
        .isEqualTo("/v1/attempts/" + attempt + "/resolution");
    assertThat(pressed.json().at("/resolve_with/verdicts").toString())
        .isEqualTo("[\"not_done\",\"done\",\"still_running\",\"abandon\"]");
  }

  @Test
  void after_a_failure_the_button_starts_the_next_provider() {
    String job = waiting("k");
    ApiAnswer pressed = press(job, "");
    assertThat(pressed.status()).isEqualTo(201);
    assertThat(pressed.at("/attempt/provider")).isEqualTo("b");
    assertThat(pressed.at("/attempt/cause")).isEqualTo("button");
    assertThat(pressed.at("/job/id")).isEqualTo(job);
    assertThat(pressed.header("Location")).contains("/v1/attempts/" + pressed.at("/attempt/id"));
    api.node().b.next().succeed("2");
    ApiAnswer done = ApiNode.awaitJob(api.client(), job, "/state", "succeeded");
    assertThat(done.at("/completed_by")).isEqualTo(pressed.at("/attempt/id"));
    assertThat(press(job, "").at("/state")).isEqualTo("succeeded");
  }

  @Test
  void the_button_takes_the_provider_that_it_is_given() {
    ApiAnswer pressed = press(waiting("k"), "{\"provider\":\"a\"}");
    assertThat(pressed.at("/attempt/provider")).isEqualTo("a");
  }

  @Test
  void a_provider_off_the_route_is_refused_with_the_route() {
    ApiAnswer pressed = press(waiting("k"), "{\"provider\":\"z\"}");
    assertThat(pressed.status()).isEqualTo(400);
    assertThat(pressed.code()).isEqualTo("provider-not-on-route");
    assertThat(pressed.json().path("route").toString()).isEqualTo("[\"a\",\"b\"]");
  }

  @Test
  void a_running_attempt_of_a_kind_that_does_not_race_blocks() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    api.node().a.next().accept("ref-1");
    ApiAnswer pressed = press(job, "");
    assertThat(pressed.code()).isEqualTo("attempt-blocked");
    assertThat(pressed.at("/reason")).isEqualTo("attempt_running");
    assertThat(pressed.json().at("/resolve_with/verdicts").toString()).isEqualTo("[\"abandon\"]");
  }

  @Test
  void a_body_with_an_unknown_member_is_refused() {
    assertThat(press(waiting("k"), "{\"providr\":\"a\"}").code()).isEqualTo("body-invalid");
  }

  private String waiting(String key) {
    String job = api.client().submit(key, "plain", "{}").at("/id");
    api.node().a.next().answer(ScriptedProvider.refused());
    ApiNode.awaitJob(api.client(), job, "/waiting_for", "qualification");
    return job;
  }

  private ApiAnswer press(String job, String body) {
    return api.client().post("/v1/jobs/" + job + "/attempts", body);
  }
}
