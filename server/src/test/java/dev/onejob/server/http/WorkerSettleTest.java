package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.Worker;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers say how it ended, in time and too late. */
final class WorkerSettleTest {
  private static final String DONE = "\"outcome\":\"succeeded\",\"result\":{\"n\": 1.50}";

  @RegisterExtension static final ApiExtension api = new ApiExtension();

  private Worker worker;

  private Worker.Held taken(String kind) {
    String owner = api.client().submit(UUID.randomUUID().toString(), kind, "{}").at("/owner");
    worker = new Worker(api.node().client(Role.WORKER, owner), "w1");
    Worker.Held held = worker.take(kind);
    worker.accepted(held);
    return held;
  }

  private static ApiAnswer job(Worker.Held held) {
    return api.operator().get("/v1/jobs/" + held.job());
  }

  private Worker.Held lapsed(String kind) {
    Worker.Held held = taken(kind);
    ApiNode.awaitJob(api.operator(), held.job(), "/state", "unknown");
    return held;
  }

  private static ApiAnswer resolve(Worker.Held held, String body) {
    ApiAnswer answer = api.operator().post("/v1/attempts/" + held.id() + "/resolution", body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer;
  }

  @Test
  void a_result_ends_the_job_and_is_kept_as_it_came() {
    Worker.Held held = taken("pulled");
    ApiAnswer settled = worker.settle(held, DONE + ",\"cost\":\"2 s of GPU\"");
    assertThat(settled.at("/state")).isEqualTo("succeeded");
    assertThat(job(held).text()).contains("\"result\":{\"n\": 1.50},");
    assertThat(job(held).at("/attempts/0/cost")).isEqualTo("2 s of GPU");
    assertThat(job(held).json().at("/attempts/0/evidence")).isEmpty();
  }

  @Test
  void the_figures_of_what_was_used_are_kept_with_the_attempt() {
    Worker.Held held = taken("pulled");
    worker.settle(held, DONE + ",\"input_tokens\":812,\"output_tokens\":9.6e1,\"model\":\"m\"");
    ApiAnswer job = job(held);
    assertThat(job.json().at("/attempts/0/usage").toString())
        .isEqualTo("{\"input_tokens\":812,\"output_tokens\":96}");
    assertThat(job.json().at("/attempts/0/cost").isNull()).isTrue();
    assertThat(job.json().at("/attempts/0/price").isNull()).isTrue();
    assertThat(job.json().at("/attempts/0/took_seconds").asDouble()).isPositive();
    assertThat(job.json().at("/cost").toString())
        .isEqualTo(
            "{\"paid\":[],\"paid_for_lost\":[],\"saved_by_repeats\":[],\"repeats\":0,"
                + "\"unpriced_attempts\":1}");
  }

  @Test
  void a_failure_tells_what_it_has_used_too() {
    Worker.Held held = taken("pulled");
    worker.settle(held, "\"outcome\":\"failed\",\"cost\":\"one call\",\"input_tokens\":5");
    assertThat(job(held).at("/attempts/0/cost")).isEqualTo("one call");
    assertThat(job(held).json().at("/attempts/0/usage/input_tokens").asInt()).isEqualTo(5);
  }

  @Test
  void a_result_may_be_text() {
    Worker.Held held = taken("pulled");
    worker.settle(
        held, "\"outcome\":\"succeeded\",\"result\":\"é \\\"x\\\"\",\"result_format\":\"text\"");
    assertThat(job(held).at("/result")).isEqualTo("é \"x\"");
    assertThat(job(held).at("/result_format")).isEqualTo("text");
  }

  @Test
  void a_waiting_client_hears_of_the_end_at_once() {
    Worker.Held held = taken("pulled");
    worker.settle(held, DONE);
    assertThat(api.operator().get("/v1/jobs/" + held.job() + "?wait=20").at("/state"))
        .isEqualTo("succeeded");
  }

  @Test
  void the_same_report_again_is_answered_as_the_first_time() {
    Worker.Held held = taken("pulled");
    ApiAnswer first = worker.settle(held, DONE);
    ApiAnswer again = worker.settle(held, DONE);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(job(held).json().at("/attempts/0/evidence")).isEmpty();
  }

  @Test
  void another_report_about_an_ended_attempt_changes_nothing_and_is_kept() {
    Worker.Held held = taken("pulled");
    worker.settle(held, DONE);
    ApiAnswer other = worker.settle(held, "\"outcome\":\"succeeded\",\"result\":\"other\"");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.at("/late_answer")).isEqualTo("recorded");
    assertThat(job(held).text()).contains("\"result\":{\"n\": 1.50},").doesNotContain("other\"");
    assertThat(job(held).json().at("/attempts/0/evidence")).hasSize(1);
  }

  @Test
  void a_failure_that_may_be_tried_again_brings_the_job_back_to_the_workers() {
    Worker.Held held = taken("pulled");
    ApiAnswer settled =
        worker.settle(
            held,
            "\"outcome\":\"failed\",\"code\":\"gpu-lost\",\"message\":\"bus error\","
                + "\"retryable\":true");
    assertThat(settled.at("/state")).isEqualTo("failed");
    Worker.Held again = worker.take("pulled");
    assertThat(again.job()).isEqualTo(held.job());
    assertThat(again.whole().path("provider_key").asString())
        .isNotEqualTo(held.whole().path("provider_key").asString());
    assertThat(job(held).at("/attempts/0/failure/code")).isEqualTo("gpu-lost");
  }

  @Test
  void a_final_failure_leaves_the_rest_of_the_route() {
    Worker.Held held = taken("pulled");
    worker.settle(held, "\"outcome\":\"failed\"");
    assertThat(job(held).at("/waiting_for")).isEqualTo("qualification");
    assertThat(job(held).at("/attempts/0/failure/code")).isEqualTo("worker-failed");
  }

  @Test
  void a_refusal_at_the_end_of_the_route_ends_the_job() {
    Worker.Held held = taken("brief");
    worker.settle(held, "\"outcome\":\"refused\",\"code\":\"no-such-font\"");
    assertThat(job(held).at("/state")).isEqualTo("failed");
    assertThat(job(held).at("/failure/code")).isEqualTo("no-such-font");
  }

  @Test
  void a_worker_that_does_not_know_leaves_a_doubt_that_it_may_repeat() {
    Worker.Held held = taken("pulled");
    String doubt = "\"outcome\":\"in_doubt\",\"code\":\"printer-silent\",\"message\":\"no answer\"";
    ApiAnswer settled = worker.settle(held, doubt);
    assertThat(settled.at("/state")).isEqualTo("unknown");
    assertThat(worker.settle(held, doubt).text()).isEqualTo(settled.text());
    assertThat(job(held).at("/state")).isEqualTo("unknown");
    assertThat(job(held).at("/attempts/0/failure/code")).isEqualTo("printer-silent");
    assertThat(worker.heartbeat(held).code()).isEqualTo("lease-lost");
  }

  @Test
  void a_worker_may_end_its_own_doubt_by_a_late_answer() {
    Worker.Held held = taken("pulled");
    worker.settle(held, "\"outcome\":\"in_doubt\"");
    ApiAnswer late = worker.settle(held, DONE);
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.at("/late_answer")).isEqualTo("taken");
    assertThat(job(held).at("/state")).isEqualTo("succeeded");
  }

  @Test
  void a_report_under_a_lost_lease_is_refused_and_taken_as_a_late_answer() {
    Worker.Held held = lapsed("brief");
    ApiAnswer late = worker.settle(held, DONE);
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.code()).isEqualTo("lease-lost");
    assertThat(late.at("/late_answer")).isEqualTo("taken");
    assertThat(late.at("/state")).isEqualTo("succeeded");
    assertThat(job(held).text()).contains("\"result\":{\"n\": 1.50},");
    assertThat(job(held).at("/attempts/0/evidence/0/source")).isEqualTo("lost_lease");
    assertThat(worker.settle(held, DONE).text()).isEqualTo(late.text());
    assertThat(job(held).json().at("/attempts/0/evidence")).hasSize(1);
  }

  @Test
  void a_failure_under_a_lost_lease_ends_the_doubt_as_well() {
    Worker.Held held = lapsed("brief");
    ApiAnswer late = worker.settle(held, "\"outcome\":\"failed\",\"retryable\":true");
    assertThat(late.at("/late_answer")).isEqualTo("taken");
    assertThat(late.at("/state")).isEqualTo("failed");
    assertThat(worker.take("brief").job()).isEqualTo(held.job());
  }

  @Test
  void a_result_after_not_done_contests_the_job() {
    Worker.Held held = lapsed("brief");
    resolve(held, "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"looked\"}");
    ApiAnswer late = worker.settle(held, DONE);
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.at("/late_answer")).isEqualTo("contested");
    assertThat(late.at("/state")).isEqualTo("failed");
    assertThat(job(held).at("/contested")).isEqualTo("true");
    assertThat(job(held).text()).doesNotContain("1.50");
    assertThat(worker.claim("brief", 1).json().path("attempts")).isEmpty();
  }

  @Test
  void the_same_result_again_after_an_acknowledgement_contests_nothing_again() {
    Worker.Held held = lapsed("brief");
    resolve(held, "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"looked\"}");
    ApiAnswer first = worker.settle(held, DONE);
    api.operator().post("/v1/jobs/" + held.job() + "/acknowledgement", "{\"reason\":\"seen\"}");
    ApiAnswer again = worker.settle(held, DONE);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(job(held).at("/contested")).isEqualTo("false");
    assertThat(job(held).json().at("/attempts/0/evidence")).hasSize(1);
    assertThat(job(held).at("/attempts/0/evidence/0/times")).isEqualTo("2");
  }

  @Test
  void an_abandoned_attempt_is_fenced_while_its_lease_still_holds() {
    Worker.Held held = taken("pulled");
    resolve(held, "{\"verdict\":\"abandon\",\"then\":\"retry\",\"reason\":\"stuck\"}");
    assertThat(worker.heartbeat(held).code()).isEqualTo("lease-lost");
    Worker.Held second = worker.take("pulled");
    worker.accepted(second);
    ApiAnswer late = worker.settle(held, DONE);
    assertThat(late.at("/late_answer")).isEqualTo("contested");
    ApiAnswer won = worker.settle(second, "\"outcome\":\"succeeded\",\"result\":\"second\"");
    assertThat(won.at("/state")).isEqualTo("succeeded");
    assertThat(job(held).at("/result")).isEqualTo("second");
  }

  @Test
  void a_report_under_a_lost_lease_after_anothers_result_is_lost() {
    Worker.Held held = taken("brief-race");
    String button = "/v1/jobs/" + held.job() + "/attempts";
    ApiAnswer rival = api.operator().post(button, "{\"provider\":\"a\"}");
    assertThat(rival.status()).as(rival.text()).isEqualTo(201);
    api.node().a.next().succeed("\"from a\"");
    ApiNode.awaitJob(api.operator(), held.job(), "/attempts/0/state", "unknown");
    ApiAnswer late = worker.settle(held, DONE);
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.at("/late_answer")).isEqualTo("lost");
    assertThat(late.at("/lost_to")).isEqualTo(rival.at("/attempt/id"));
    assertThat(worker.settle(held, DONE).text()).isEqualTo(late.text());
    assertThat(job(held).at("/result")).isEqualTo("from a");
  }

  @Test
  void a_worker_that_stops_without_being_asked_leaves_a_decision() {
    Worker.Held held = taken("pulled");
    assertThat(worker.settle(held, "\"outcome\":\"cancelled\"").at("/state"))
        .isEqualTo("cancelled");
    assertThat(job(held).at("/waiting_for")).isEqualTo("decision");
  }
}
