package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.testkit.ScriptedProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ending a doubt, and looking at what is contested. */
final class ResolutionTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  @Test
  void not_done_and_wait_leaves_the_job_to_the_button() {
    ApiAnswer job = api.jobInDoubt("k");
    ApiAnswer resolved =
        resolve(job, "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"looked\"}");
    assertThat(resolved.status()).isEqualTo(200);
    assertThat(resolved.at("/state")).isEqualTo("queued");
    assertThat(resolved.at("/waiting_for")).isEqualTo("decision");
    assertThat(resolved.at("/attempts/0/state")).isEqualTo("failed");
    assertThat(resolved.at("/attempts/0/resolutions/0/verdict")).isEqualTo("not_done");
    assertThat(resolved.at("/attempts/0/resolutions/0/decided_by")).isEqualTo("operator-of-house");
    ApiAnswer pressed = api.client().post("/v1/jobs/" + job.at("/id") + "/attempts", "");
    assertThat(pressed.at("/attempt/provider")).isEqualTo("b");
  }

  @Test
  void done_claims_the_slot_with_the_result_that_was_found() {
    ApiAnswer job = api.jobInDoubt("k");
    ApiAnswer resolved =
        resolve(job, "{\"verdict\":\"done\",\"result\": {\"n\": 1.50} ,\"reason\":\"found\"}");
    assertThat(resolved.at("/state")).isEqualTo("succeeded");
    assertThat(resolved.text()).contains("\"result\":{\"n\": 1.50},");
  }

  @Test
  void done_takes_text_where_it_says_so() {
    ApiAnswer resolved =
        resolve(
            api.jobInDoubt("k"),
            "{\"verdict\":\"done\",\"result\":\"a \\\"b\\\"\",\"result_format\":\"text\","
                + "\"reason\":\"found\"}");
    assertThat(resolved.at("/result")).isEqualTo("a \"b\"");
    assertThat(resolved.at("/result_format")).isEqualTo("text");
  }

  @Test
  void a_second_resolution_is_refused_with_the_state() {
    ApiAnswer job = api.jobInDoubt("k");
    String body = "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"looked\"}";
    resolve(job, body);
    ApiAnswer again = resolve(job, body);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.code()).isEqualTo("verdict-not-allowed");
    assertThat(again.at("/state")).isEqualTo("failed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"verdict\":\"not_done\"} | /reason",
        "{\"verdict\":\"not_done\",\"reason\":\" \"} | /reason",
        "{\"verdict\":\"maybe\",\"reason\":\"x\"} | /verdict",
        "{\"reason\":\"x\"} | /verdict",
        "{\"verdict\":\"done\",\"reason\":\"x\"} | /result",
        "{\"verdict\":\"abandon\",\"result\":null,\"reason\":\"x\"} | /result",
        "{\"verdict\":\"done\",\"result\":1,\"result_format\":\"text\",\"reason\":\"x\"} | /result",
        "{\"verdict\":\"done\",\"result\":1,\"then\":\"wait\",\"reason\":\"x\"} | /then",
        "{\"verdict\":\"abandon\",\"then\":\"hope\",\"reason\":\"x\"} | /then"
      })
  void a_decision_that_makes_no_sense_is_refused_where_it_is_wrong(String body, String pointer) {
    ApiAnswer answer =
        api.operator().post("/v1/attempts/att_01KB8XJ4N1F6W8T3VAXZ4S7Y2A/resolution", body);
    assertThat(answer.code()).isEqualTo("field-invalid");
    assertThat(answer.at("/pointer")).isEqualTo(pointer);
  }

  @Test
  void a_contested_job_starts_nothing_until_it_is_acknowledged() {
    String job = api.client().submit("k", "plain", "{}").at("/id");
    ScriptedProvider.Call call = api.node().a.next();
    ApiAnswer doubt = ApiNode.awaitJob(api.client(), job, "/state", "unknown");
    resolve(doubt, "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"looked\"}");
    call.succeed("\"late\"");
    ApiNode.awaitJob(api.client(), job, "/contested", "true");
    ApiAnswer pressed = api.client().post("/v1/jobs/" + job + "/attempts", "");
    assertThat(pressed.code()).isEqualTo("job-contested");
    String url = pressed.at("/resolve_with/url");
    ApiAnswer acknowledged = api.operator().post(url, "{\"reason\":\"it was refunded\"}");
    assertThat(acknowledged.at("/contested")).isEqualTo("false");
    assertThat(acknowledged.at("/waiting_for")).isEqualTo("decision");
    assertThat(acknowledged.at("/resolutions/0/verdict")).isEqualTo("acknowledge");
    assertThat(api.operator().post(url, "{\"reason\":\"again\"}").code())
        .isEqualTo("not-contested");
    assertThat(api.client().post("/v1/jobs/" + job + "/attempts", "").status()).isEqualTo(201);
  }

  private ApiAnswer resolve(ApiAnswer job, String body) {
    return api.operator().post("/v1/attempts/" + job.at("/attempts/0/id") + "/resolution", body);
  }
}
