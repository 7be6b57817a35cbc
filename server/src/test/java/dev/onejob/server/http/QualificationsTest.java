package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Qualification;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.testkit.ScriptedProvider;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who has proved what, and who answers, over HTTP. */
final class QualificationsTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  private void qualify() {
    api.node()
        .engine()
        .proofs()
        .record(
            new Qualification.Pass(
                "proved",
                "b",
                ApiNode.BINDING,
                "model-1",
                "run " + UUID.randomUUID(),
                Duration.ofHours(1)));
  }

  private static String withdrawal(String kind, String provider, String reason) {
    return "{\"kind\":\"%s\",\"provider\":\"%s\",\"reason\":\"%s\"}"
        .formatted(kind, provider, reason);
  }

  @Test
  void a_job_tells_whom_it_passed_over_and_why_and_a_withdrawal_ends_failover() {
    api.node().a.always(ScriptedProvider.refused());
    api.node().b.always(ScriptedProvider.succeeded("{}"));
    String waits = api.client().submit("k1", "proved", "{}").at("/id");
    ApiAnswer waiting = ApiNode.awaitJob(api.client(), waits, "/waiting_for", "qualification");
    assertThat(waiting.at("/goes_on_at")).isEqualTo("b");
    assertThat(waiting.at("/skipped/0/provider")).isEqualTo("b");
    assertThat(waiting.at("/skipped/0/reason")).isEqualTo("never_qualified");
    ApiAnswer pressed =
        api.client().post("/v1/jobs/" + waits + "/attempts", "{\"provider\":\"b\"}");
    assertThat(pressed.code()).isEqualTo("provider-unqualified");

    qualify();

    ApiNode.awaitJob(api.client(), waits, "/state", "succeeded");
    ApiAnswer listed = api.operator().get("/v1/qualifications?kind=proved&provider=b&limit=1");
    assertThat(listed.at("/qualifications/0/answering_model")).isEqualTo("model-1");
    assertThat(listed.json().at("/qualifications/0/withdrawal").isNull()).isTrue();

    ApiAnswer withdrawn =
        api.operator()
            .post("/v1/qualifications/withdraw", withdrawal("proved", "b", "wrong totals"));
    assertThat(withdrawn.at("/qualifications/0/withdrawal/reason")).isEqualTo("wrong totals");
    assertThat(withdrawn.at("/qualifications/0/withdrawal/by")).isEqualTo("operator-of-house");
    String next = api.client().submit("k2", "proved", "{}").at("/id");
    ApiAnswer again = ApiNode.awaitJob(api.client(), next, "/waiting_for", "qualification");
    assertThat(again.at("/skipped/0/reason")).isEqualTo("withdrawn");
    assertThat(api.operator().get("/metrics").text())
        .contains("onejob_qualifications_withdrawn_total{by=\"operator\"");
  }

  @Test
  void a_list_goes_on_where_its_page_ended() {
    for (int i = 0; i < 3; i++) {
      qualify();
    }
    ApiAnswer page = api.operator().get("/v1/qualifications?limit=2");
    assertThat(page.json().path("qualifications").size()).isEqualTo(2);
    ApiAnswer rest =
        api.operator().get("/v1/qualifications?limit=200&cursor=" + page.at("/next_cursor"));
    assertThat(rest.json().path("qualifications").size()).isPositive();
    assertThat(rest.json().at("/qualifications/0/id").asLong())
        .isLessThan(page.json().at("/qualifications/1/id").asLong());
    assertThat(rest.json().path("next_cursor").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"limit=0,limit", "limit=x,limit", "cursor=x,cursor", "state=valid,state"})
  void a_parameter_that_cannot_be_used_is_named(String query, String parameter) {
    ApiAnswer answer = api.operator().get("/v1/qualifications?" + query);
    assertThat(answer.code()).isEqualTo("parameter-invalid");
    assertThat(answer.at("/parameter")).isEqualTo(parameter);
  }

  @Test
  void what_cannot_be_withdrawn_is_refused() {
    String path = "/v1/qualifications/withdraw";
    assertThat(api.operator().post(path, withdrawal("proved", "nobody", "x")).status())
        .isEqualTo(404);
    ApiAnswer blank = api.operator().post(path, withdrawal("proved", "b", " "));
    assertThat(blank.at("/pointer")).isEqualTo("/reason");
    assertThat(api.operator().post(path, "{\"kind\":\"proved\"}").at("/pointer"))
        .isEqualTo("/provider");
  }

  @Test
  void a_provider_that_does_not_answer_is_shown_as_left_alone() {
    api.node()
        .a
        .always(
            new Outcome.Refused(
                new Failure("connect-failed", "nobody there"), Retryability.RETRYABLE, null));
    for (int i = 0; i < 8; i++) {
      api.client().submit("down" + i, "plain", "{}");
    }

    ApiAnswer shown =
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> api.operator().get("/v1/providers"),
                answer -> !answer.at("/providers/0/circuit").equals("closed"));

    assertThat(shown.at("/providers/0/name")).isEqualTo("a");
    assertThat(shown.at("/providers/0/failure/code")).isEqualTo("connect-failed");
    assertThat(shown.at("/providers/0/open_until")).isNotEmpty();
    assertThat(shown.at("/providers/0/capabilities/submit_deduplication")).isEqualTo("none");
    assertThat(shown.at("/providers/0/capabilities/negative_answer")).isEqualTo("may_come_later");
    assertThat(shown.at("/providers/1/circuit")).isEqualTo("closed");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                api.operator()
                    .get("/metrics")
                    .text()
                    .contains("onejob_circuit_open{provider=\"a\"} 1.0"));
  }
}
