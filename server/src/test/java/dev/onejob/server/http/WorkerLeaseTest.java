package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers hold attempts: they begin, live, and fall silent. */
final class WorkerLeaseTest {
  @RegisterExtension static final ApiExtension api = new ApiExtension();

  private Worker worker;

  private Worker.Held taken(String kind) {
    String owner = api.client().submit(UUID.randomUUID().toString(), kind, "{}").at("/owner");
    worker = new Worker(api.node().client(Role.WORKER, owner), "w1");
    return worker.take(kind);
  }

  private static ApiAnswer attempt(Worker.Held held) {
    return api.operator().get("/v1/attempts/" + held.id());
  }

  private static void awaitState(Worker.Held held, String state) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> attempt(held).at("/state").equals(state));
  }

  @Test
  void accepted_makes_it_running_once_and_may_be_said_again() {
    Worker.Held held = taken("pulled");
    String body = "{\"lease_token\":\"" + held.token() + "\",\"provider_ref\":\"gpu-7\"}";
    ApiAnswer first = worker.say(held, "accepted", body);
    assertThat(first.at("/state")).isEqualTo("running");
    assertThat(first.at("/stop")).isEqualTo("false");
    assertThat(worker.accepted(held).at("/state")).isEqualTo("running");
    assertThat(attempt(held).at("/provider_ref")).isEqualTo("gpu-7");
    assertThat(attempt(held).json().at("/accepted_at").isNull()).isFalse();
  }

  @Test
  void a_heartbeat_makes_the_lease_longer() {
    Worker.Held held = taken("pulled");
    Instant before = Instant.parse(attempt(held).at("/lease_until"));
    ApiAnswer beat = worker.heartbeat(held);
    assertThat(Instant.parse(beat.at("/lease_until"))).isAfter(before);
    assertThat(attempt(held).at("/lease_until")).isEqualTo(beat.at("/lease_until"));
    assertThat(beat.json().at("/lease_seconds").asDouble()).isBetween(29.0, 30.0);
  }

  @Test
  void heartbeats_keep_a_lease_until_the_attempts_timeout_and_no_longer() {
    Worker.Held held = taken("brief");
    worker.accepted(held);
    Instant timeout = Instant.parse(held.whole().path("timeout_at").asString());
    ApiAnswer refused =
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(100))
            .until(() -> worker.heartbeat(held), answer -> answer.status() != 200);
    assertThat(refused.code()).isEqualTo("lease-lost");
    awaitState(held, "unknown");
    assertThat(Instant.parse(attempt(held).at("/unknown_at"))).isAfterOrEqualTo(timeout);
    assertThat(Duration.between(timeout, Instant.parse(attempt(held).at("/unknown_at"))))
        .isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void a_worker_that_falls_silent_leaves_a_doubt_and_its_token_extends_nothing() {
    Worker.Held held = taken("brief");
    awaitState(held, "unknown");
    assertThat(attempt(held).at("/failure/code")).isEqualTo("lease-lapsed");
    for (ApiAnswer refused : List.of(worker.heartbeat(held), worker.accepted(held))) {
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.code()).isEqualTo("lease-lost");
      assertThat(refused.at("/state")).isEqualTo("unknown");
      assertThat(refused.at("/late_answer")).isEqualTo("nothing");
    }
    assertThat(attempt(held).json().at("/lease_until").isNull()).isTrue();
    assertThat(worker.claim("brief", 1).json().path("attempts")).isEmpty();
  }

  @Test
  void an_operator_ends_the_doubt_and_the_job_goes_to_a_worker_again() {
    Worker.Held held = taken("brief");
    awaitState(held, "unknown");
    String resolution = "/v1/attempts/" + held.id() + "/resolution";
    api.operator().post(resolution, "{\"verdict\":\"not_done\",\"reason\":\"it never began\"}");
    Worker.Held again = worker.take("brief");
    assertThat(again.job()).isEqualTo(held.job());
    assertThat(again.whole().path("number").asInt()).isEqualTo(2);
    assertThat(again.token()).isNotEqualTo(held.token());
  }

  @Test
  void a_claim_gives_back_no_attempt_whose_lease_has_lapsed() {
    String owner = api.client().submit("lapsed", "brief", "{}").at("/owner");
    worker = new Worker(api.node().client(Role.WORKER, owner), "w1");
    Worker.Held held = Worker.held(worker.claim("brief", 1, "r1", 0), 0);
    awaitState(held, "unknown");
    assertThat(worker.claim("brief", 1, "r1", 0).json().path("attempts")).isEmpty();
  }

  @Test
  void a_foreign_token_moves_nothing() {
    Worker.Held held = taken("pulled");
    Worker.Held other = taken("pulled");
    Worker.Held wrong = new Worker.Held(held.id(), held.job(), other.token(), held.whole());
    for (ApiAnswer refused :
        List.of(
            worker.heartbeat(wrong),
            api.operator()
                .post(
                    "/v1/attempts/" + held.id() + "/heartbeat",
                    "{\"lease_token\":\"" + other.token() + "\"}"),
            api.operator()
                .post(
                    "/v1/attempts/" + held.id() + "/settle",
                    "{\"lease_token\":\""
                        + other.token()
                        + "\",\"outcome\":\"succeeded\",\"result\":\"forged\"}"))) {
      assertThat(refused.status()).isIn(404, 409);
    }
    ApiAnswer after = attempt(held);
    assertThat(after.at("/state")).isEqualTo("starting");
    assertThat(after.json().path("evidence")).isEmpty();
    assertThat(api.operator().get("/v1/jobs/" + held.job()).json().at("/result").isNull()).isTrue();
  }

  @Test
  void no_worker_speaks_for_an_attempt_that_a_node_makes() {
    String job = api.client().submit("node", "plain", "{}").at("/id");
    String id = ApiNode.awaitJob(api.client(), job, "/attempts_started", "1").at("/attempts/0/id");
    String token = "{\"lease_token\":\"" + UUID.randomUUID() + "\"";
    ApiAnswer beat = api.operator().post("/v1/attempts/" + id + "/heartbeat", token + "}");
    assertThat(beat.code()).isEqualTo("lease-lost");
    ApiAnswer settled =
        api.operator()
            .post(
                "/v1/attempts/" + id + "/settle",
                token + ",\"outcome\":\"succeeded\",\"result\":1}");
    assertThat(settled.code()).isEqualTo("lease-lost");
    assertThat(settled.at("/late_answer")).isEqualTo("nothing");
    api.node().a.next().succeed("2");
    assertThat(ApiNode.awaitJob(api.client(), job, "/state", "succeeded").at("/result"))
        .isEqualTo("2");
  }

  @Test
  void a_worker_hears_of_a_cancel_and_its_stop_ends_the_job() {
    Worker.Held held = taken("pulled");
    worker.accepted(held);
    assertThat(worker.heartbeat(held).at("/stop")).isEqualTo("false");
    api.operator().post("/v1/jobs/" + held.job() + "/cancel", "");
    ApiAnswer beat = worker.heartbeat(held);
    assertThat(beat.at("/cancel_requested")).isEqualTo("true");
    assertThat(beat.at("/stop")).isEqualTo("true");
    ApiAnswer settled = worker.settle(held, "\"outcome\":\"cancelled\"");
    assertThat(settled.at("/state")).isEqualTo("cancelled");
    assertThat(api.operator().get("/v1/jobs/" + held.job()).at("/state")).isEqualTo("cancelled");
  }

  @Test
  void a_worker_that_is_about_to_begin_hears_of_a_cancel() {
    Worker.Held held = taken("pulled");
    api.operator().post("/v1/jobs/" + held.job() + "/cancel", "");
    assertThat(worker.accepted(held).at("/stop")).isEqualTo("true");
  }

  @Test
  void a_worker_hears_that_another_attempt_has_won_and_its_own_result_is_lost() {
    Worker.Held held = taken("pulled-race");
    worker.accepted(held);
    String button = "/v1/jobs/" + held.job() + "/attempts";
    ApiAnswer rival = api.operator().post(button, "{\"provider\":\"a\"}");
    assertThat(rival.status()).as(rival.text()).isEqualTo(201);
    api.node().a.next().succeed("\"from a\"");
    ApiNode.awaitJob(api.operator(), held.job(), "/state", "succeeded");
    ApiAnswer beat = worker.heartbeat(held);
    assertThat(beat.at("/stop")).isEqualTo("true");
    assertThat(beat.at("/cancel_requested")).isEqualTo("false");
    String report = "\"outcome\":\"succeeded\",\"result\":\"from w\"";
    ApiAnswer settled = worker.settle(held, report);
    assertThat(settled.status()).isEqualTo(200);
    assertThat(settled.at("/state")).isEqualTo("lost");
    assertThat(settled.at("/lost_to")).isEqualTo(rival.at("/attempt/id"));
    assertThat(worker.settle(held, report).text()).isEqualTo(settled.text());
    assertThat(api.operator().get("/v1/jobs/" + held.job()).at("/result")).isEqualTo("from a");
  }
}
