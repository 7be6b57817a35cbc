package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.testkit.ScriptedProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** C57: what a cancel answers. */
final class CancelTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  @Test
  void a_running_job_notes_the_cancel_and_does_not_claim_to_be_dead() {
    String job = api.client().submit("k", "patient", "{}").at("/id");
    ScriptedProvider.Call call = api.node().a.next();
    ApiAnswer answer = cancel(job);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/state")).isEqualTo("running");
    assertThat(answer.at("/cancel_requested_at")).isNotEmpty();
    assertThat(cancel(job).at("/cancel_requested_at")).isEqualTo(answer.at("/cancel_requested_at"));
    assertThat(press(job).code()).isEqualTo("cancel-requested");
    call.succeed("1");
    ApiNode.awaitJob(api.client(), job, "/state", "succeeded");
  }

  @Test
  void a_completed_job_says_that_it_has_succeeded() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    api.node().a.next().succeed("1");
    ApiNode.awaitJob(api.client(), job, "/state", "succeeded");
    ApiAnswer answer = cancel(job);
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.code()).isEqualTo("job-ended");
    assertThat(answer.at("/state")).isEqualTo("succeeded");
    assertThat(answer.at("/detail")).contains("already succeeded");
  }

  @Test
  void a_failed_job_says_that_it_has_failed() {
    String job =
        api.client().submit("k", "{\"kind\":\"plain\",\"input\":1,\"route\":[\"a\"]}").at("/id");
    api.node().a.next().answer(ScriptedProvider.refused());
    ApiNode.awaitJob(api.client(), job, "/state", "failed");
    assertThat(cancel(job).at("/state")).isEqualTo("failed");
    assertThat(press(job).at("/state")).isEqualTo("failed");
  }

  @Test
  void a_cancelled_job_is_cancelled_again_without_harm() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    api.node().a.next().answer(ScriptedProvider.refused());
    ApiNode.awaitJob(api.client(), job, "/waiting_for", "qualification");
    assertThat(cancel(job).at("/state")).isEqualTo("cancelled");
    ApiAnswer again = cancel(job);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.at("/state")).isEqualTo("cancelled");
    ApiAnswer pressed = press(job);
    assertThat(pressed.code()).isEqualTo("job-ended");
    assertThat(pressed.at("/detail")).contains("been cancelled");
  }

  @Test
  void the_job_of_another_owner_is_not_cancelled() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    ApiAnswer answer =
        api.node().client(Role.CLIENT, "bakery").post("/v1/jobs/" + job + "/cancel", "");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(api.client().get("/v1/jobs/" + job).json().path("cancel_requested_at").isNull())
        .isTrue();
  }

  private ApiAnswer cancel(String job) {
    return api.client().post("/v1/jobs/" + job + "/cancel", "");
  }

  private ApiAnswer press(String job) {
    return api.client().post("/v1/jobs/" + job + "/attempts", "");
  }
}
