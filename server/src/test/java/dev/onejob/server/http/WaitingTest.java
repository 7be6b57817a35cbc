package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holding an answer until a job has ended. */
final class WaitingTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  @Test
  void a_read_that_waits_is_answered_when_the_job_ends() throws Exception {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    ScriptedProvider.Call call = api.node().a.next();
    CompletableFuture<ApiAnswer> waiting =
        CompletableFuture.supplyAsync(() -> api.client().get("/v1/jobs/" + job + "?wait=60"));
    call.succeed("1");
    ApiAnswer answer = waiting.get(55, TimeUnit.SECONDS);
    assertThat(answer.at("/state")).isEqualTo("succeeded");
  }

  @Test
  void a_read_that_waits_in_vain_shows_the_job_as_it_is() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    ApiAnswer answer = api.client().send("GET", "/v1/jobs/" + job, "", Map.of("Prefer", "wait=1"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Preference-Applied")).contains("wait=1");
    assertThat(answer.at("/state")).isNotEqualTo("succeeded");
  }

  @Test
  void a_preference_that_cannot_be_read_is_no_preference() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    ApiAnswer answer =
        api.client().send("GET", "/v1/jobs/" + job, "", Map.of("Prefer", "wait=soon, wait"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Preference-Applied")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "soon", "1.5", "", "99999999999"})
  void a_wait_parameter_that_cannot_be_read_is_refused(String wait) {
    ApiAnswer submitted = api.client().submit("k", "plain", "{}");
    ApiAnswer answer = api.client().get("/v1/jobs/" + submitted.at("/id") + "?wait=" + wait);
    assertThat(answer.code()).isEqualTo("parameter-invalid");
    assertThat(answer.at("/parameter")).isEqualTo("wait");
  }
}
