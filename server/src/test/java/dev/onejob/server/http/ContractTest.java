package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A contract as clients, workers and operators meet it. */
class ContractTest {
  private static final String GOOD = "{\"total\": 0.3, \"lines\": [0.1, 0.2]}";
  private static final String WRONG = "{\"total\": 0.4, \"lines\": [0.1, 0.2]}";

  @RegisterExtension final ApiExtension api = new ApiExtension();

  private ApiAnswer failed(String job) {
    return ApiNode.awaitJob(api.client(), job, "/attempts/0/state", "failed");
  }

  private ApiAnswer attempt(ApiAnswer job) {
    return api.client().get("/v1/attempts/" + job.at("/attempts/0/id"));
  }

  @Test
  void an_answer_that_keeps_it_is_the_result_as_it_came() {
    String job = api.client().submit("k", "receipt", "{}").at("/id");
    api.node().a.next().succeed(GOOD);

    ApiAnswer ended = ApiNode.awaitJob(api.client(), job, "/state", "succeeded");
    assertThat(ended.text()).contains("\"result\":" + GOOD);
    assertThat(ended.json().at("/attempts/0/contract_breach").isNull()).isTrue();
    assertThat(attempt(ended).json().at("/broken_answer").isNull()).isTrue();
  }

  @Test
  void a_breach_is_shown_with_its_place_its_rule_and_the_answer() {
    String job = api.client().submit("k", "receipt", "{}").at("/id");
    api.node().a.next().succeed(WRONG);

    ApiAnswer shown = attempt(failed(job));
    assertThat(shown.at("/failure/code")).isEqualTo("contract-breach");
    assertThat(shown.at("/contract_breach/contract")).isEqualTo("receipt/3");
    assertThat(shown.at("/contract_breach/contract_hash")).matches("[0-9a-f]{64}");
    assertThat(shown.at("/contract_breach/breaches/0/check")).isEqualTo("rule");
    assertThat(shown.at("/contract_breach/breaches/0/path")).isEqualTo("/total");
    assertThat(shown.at("/contract_breach/breaches/0/rule")).isEqualTo("sums-match");
    assertThat(shown.at("/contract_breach/breaches/0/message"))
        .isEqualTo("the lines add up to the total");
    assertThat(shown.at("/broken_answer")).isEqualTo(WRONG);
    assertThat(api.operator().get("/metrics").text())
        .contains("onejob_contract_breaches_total{kind=\"receipt\",provider=\"a\"} 1.0");
  }

  /** An outage of the first must not let the second answer in prose. */
  @Test
  void whoever_answers_answers_to_the_contract_and_prose_is_no_result() {
    String job = api.client().submit("k", "receipt", "{}").at("/id");
    api.node().a.next().answer(dev.onejob.testkit.ScriptedProvider.refused());
    ApiAnswer waiting = ApiNode.awaitJob(api.client(), job, "/waiting_for", "qualification");
    assertThat(api.node().b.calls()).as("nobody asks the second by himself").isEmpty();
    assertThat(waiting.at("/attempts/0/failure/code")).isEqualTo("refused");

    api.client().post("/v1/jobs/" + job + "/attempts", "{\"provider\":\"b\"}");
    api.node().b.next().succeed("\"The total is 30 cents.\"");

    ApiAnswer after = ApiNode.awaitJob(api.client(), job, "/attempts/1/state", "failed");
    assertThat(after.at("/attempts/1/contract_breach/breaches/0/check")).isEqualTo("schema");
    assertThat(after.json().at("/result").isNull()).isTrue();
  }

  @Test
  void an_operator_cannot_say_done_with_what_breaks_it() {
    String job = api.client().submit("k", "receipt", "{}").at("/id");
    ApiAnswer doubt = ApiNode.awaitJob(api.client(), job, "/state", "unknown");
    String url = "/v1/attempts/" + doubt.at("/attempts/0/id") + "/resolution";

    ApiAnswer refused = api.operator().post(url, done(WRONG));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("contract-broken");
    assertThat(refused.at("/contract")).isEqualTo("receipt/3");
    assertThat(refused.at("/breaches/0/rule")).isEqualTo("sums-match");
    assertThat(api.client().get("/v1/jobs/" + job).text()).isEqualTo(doubt.text());
    assertThat(api.operator().post(url, done(GOOD)).at("/state")).isEqualTo("succeeded");
  }

  private static String done(String result) {
    return "{\"verdict\":\"done\",\"result\":" + result + ",\"reason\":\"seen there\"}";
  }

  @Test
  void a_worker_is_told_what_its_result_breaks() {
    Worker worker = new Worker(api.node().client(Role.WORKER, "shop"), "w-1");
    api.client().submit("k", "receipt-work", "{}");
    Worker.Held held = worker.take("receipt-work");
    String report = "\"outcome\":\"succeeded\",\"result\":" + WRONG;

    ApiAnswer settled = worker.settle(held, report);

    assertThat(settled.at("/state")).isEqualTo("failed");
    assertThat(settled.at("/breaches/0/rule")).isEqualTo("sums-match");
    assertThat(worker.settle(held, report).text()).isEqualTo(settled.text());
    ApiAnswer job = api.operator().get("/v1/jobs/" + held.job());
    assertThat(job.json().at("/result").isNull()).isTrue();
    assertThat(job.at("/failure/code")).isNotEmpty();
  }

  @Test
  void a_provider_that_calls_back_is_told_what_its_result_breaks() {
    ApiClient provider = new ApiClient(api.node().uri(), "");
    String job = api.client().submit("k", "receipt", "{}").at("/id");
    String path = api.node().a.next().request().callback().getPath();
    String report = "{\"outcome\":\"succeeded\",\"cost\":\"2 cents\",\"result\":" + WRONG + "}";

    ApiAnswer told = provider.post(path, report);

    assertThat(told.at("/state")).isEqualTo("failed");
    assertThat(told.at("/breaches/0/rule")).isEqualTo("sums-match");
    assertThat(provider.post(path, report).text()).isEqualTo(told.text());
    ApiAnswer shown = attempt(failed(job));
    assertThat(shown.at("/contract_breach/contract")).isEqualTo("receipt/3");
    assertThat(shown.at("/broken_answer")).isEqualTo(WRONG);
    assertThat(shown.at("/cost")).isEqualTo("2 cents");
  }
}
