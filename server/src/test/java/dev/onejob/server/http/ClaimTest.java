package dev.onejob.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.Failure;
import dev.onejob.domain.Retryability;
import dev.onejob.provider.Outcome;
import dev.onejob.server.access.Role;
import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.server.testing.ApiExtension;
import dev.onejob.server.testing.ApiNode;
import dev.onejob.server.testing.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers fetch work. */
final class ClaimTest {
  @RegisterExtension final ApiExtension api = new ApiExtension();

  private Worker worker;

  @BeforeEach
  void aWorkerOfTheShop() {
    worker = new Worker(api.node().client(Role.WORKER, "shop"), "w1");
  }

  private String submit(String key) {
    return api.client().submit(key, "pulled", "{}").at("/id");
  }

  @Test
  void a_worker_gets_all_that_the_work_needs_and_the_input_byte_for_byte() {
    String input = "{ \"text\":\"h\\u00e9\",  \"n\": 1.50 }";
    String job = api.client().submit("k", "pulled", input).at("/id");
    ApiAnswer claim = worker.claim("pulled", 1);
    assertThat(claim.text()).contains("\"input\":" + input + ",");
    assertThat(claim.at("/attempts/0/job_id")).isEqualTo(job);
    assertThat(claim.at("/attempts/0/number")).isEqualTo("1");
    assertThat(claim.at("/attempts/0/owner")).isEqualTo("shop");
    assertThat(claim.at("/attempts/0/kind")).isEqualTo("pulled");
    assertThat(claim.at("/attempts/0/provider")).isEqualTo("w");
    assertThat(claim.json().at("/attempts/0/lease_seconds").asDouble()).isBetween(25.0, 30.0);
    assertThat(claim.json().at("/attempts/0/timeout_seconds").asDouble()).isBetween(50.0, 60.0);
    ApiAnswer attempt = api.client().get("/v1/attempts/" + claim.at("/attempts/0/id"));
    assertThat(attempt.at("/state")).isEqualTo("starting");
    assertThat(attempt.at("/worker")).isEqualTo("w1");
    assertThat(attempt.at("/provider_key")).isEqualTo(claim.at("/attempts/0/provider_key"));
    assertThat(attempt.text()).doesNotContain(claim.at("/attempts/0/lease_token"));
  }

  @Test
  void no_node_works_on_what_workers_fetch_and_none_of_its_slots_is_taken() {
    for (int i = 0; i < 70; i++) { // more than the slots of the node
      submit("k" + i);
    }
    String plain = api.client().submit("plain", "plain", "{}").at("/id");
    api.node().a.next().succeed("1");
    ApiAnswer done = api.client().send("GET", "/v1/jobs/" + plain + "?wait=20", "", Map.of());
    assertThat(done.at("/state")).isEqualTo("succeeded");
    ApiAnswer waiting = api.client().get("/v1/jobs?kind=pulled&state=queued&limit=200");
    assertThat(waiting.json().path("jobs").size()).isEqualTo(70);
  }

  @Test
  void the_button_starts_another_provider_of_the_route() {
    String job = submit("k");
    String button = "/v1/jobs/" + job + "/attempts";
    assertThat(api.client().post(button, "{\"provider\":\"a\"}").status()).isEqualTo(201);
    assertThat(worker.claim("pulled", 1).json().path("attempts")).isEmpty();
    api.node().a.next().succeed("\"from a\"");
    assertThat(api.client().get("/v1/jobs/" + job + "?wait=20").at("/result")).isEqualTo("from a");
  }

  @Test
  void the_button_at_a_provider_that_workers_serve_starts_an_attempt_that_waits_for_one() {
    String job = submit("k");
    String button = "/v1/jobs/" + job + "/attempts";
    api.client().post(button, "{\"provider\":\"a\"}");
    api.node()
        .a
        .next()
        .answer(new Outcome.Refused(new Failure("no", "no"), Retryability.RETRYABLE, null));
    ApiNode.awaitJob(api.client(), job, "/attempts/0/state", "failed");
    ApiAnswer pressed = api.client().post(button, "{\"provider\":\"w\"}");
    assertThat(pressed.status()).as(pressed.text()).isEqualTo(201);
    assertThat(pressed.at("/attempt/state")).isEqualTo("starting");
    assertThat(pressed.at("/attempt/node")).isEqualTo("(none)");
    assertThat(api.client().post(button, "{\"provider\":\"a\"}").code())
        .isEqualTo("attempt-blocked");
    ApiAnswer claim = worker.claim("pulled", 2, "r1", 20);
    assertThat(claim.at("/attempts/0/id")).isEqualTo(pressed.at("/attempt/id"));
    assertThat(claim.json().at("/attempts/0/lease_seconds").asDouble()).isBetween(25.0, 30.0);
    assertThat(claim.json().at("/attempts/0/timeout_seconds").asDouble()).isBetween(50.0, 60.0);
    assertThat(tokens(worker.claim("pulled", 2, "r1", 0))).isEqualTo(tokens(claim));
    assertThat(tokens(worker.claim("pulled", 2))).isEmpty();
    Worker.Held held = Worker.held(claim, 0);
    worker.accepted(held);
    worker.settle(held, "\"outcome\":\"succeeded\",\"result\":\"from w\"");
    assertThat(api.client().get("/v1/jobs/" + job).at("/result")).isEqualTo("from w");
  }

  @Test
  void a_job_that_waits_for_a_decision_goes_to_a_worker_by_the_button() throws Exception {
    String job = submit("k");
    Worker.Held held = worker.take("pulled");
    api.operator()
        .post(
            "/v1/attempts/" + held.id() + "/resolution",
            "{\"verdict\":\"abandon\",\"reason\":\"stuck\"}");
    assertThat(tokens(worker.claim("pulled", 1))).isEmpty();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ApiAnswer> claim = threads.submit(() -> worker.claim("pulled", 1, "r1", 30));
      api.client().post("/v1/jobs/" + job + "/attempts", "{\"provider\":\"w\"}");
      assertThat(claim.get(60, TimeUnit.SECONDS).at("/attempts/0/number")).isEqualTo("2");
    }
  }

  @Test
  void an_attempt_that_waits_for_a_worker_is_abandoned_like_any_other() {
    String abandoned = submit("1");
    ApiAnswer pressed =
        api.client().post("/v1/jobs/" + abandoned + "/attempts", "{\"provider\":\"w\"}");
    ApiAnswer resolved =
        api.operator()
            .post(
                "/v1/attempts/" + pressed.at("/attempt/id") + "/resolution",
                "{\"verdict\":\"abandon\",\"reason\":\"no worker\"}");
    assertThat(resolved.at("/attempts/0/state")).isEqualTo("cancelled");
    assertThat(tokens(worker.claim("pulled", 1))).isEmpty();
  }

  @Test
  void a_cancel_ends_at_once_what_was_offered_to_workers_and_taken_by_none() {
    String job = submit("k");
    api.client().post("/v1/jobs/" + job + "/attempts", "{\"provider\":\"w\"}");
    ApiAnswer cancelled = api.client().post("/v1/jobs/" + job + "/cancel", "");
    assertThat(cancelled.at("/state")).isEqualTo("cancelled");
    assertThat(cancelled.at("/attempts/0/state")).isEqualTo("cancelled");
    assertThat(cancelled.json().at("/attempts/0/unknown_at").isNull()).isTrue();
    assertThat(tokens(worker.claim("pulled", 1))).isEmpty();
  }

  @Test
  void a_cancel_reaches_an_offered_attempt_through_the_worker_that_has_taken_it() {
    String job = submit("k");
    api.client().post("/v1/jobs/" + job + "/attempts", "{\"provider\":\"w\"}");
    Worker.Held held = worker.take("pulled");
    ApiAnswer cancelled = api.client().post("/v1/jobs/" + job + "/cancel", "");
    assertThat(cancelled.at("/state")).isEqualTo("running");
    assertThat(worker.accepted(held).at("/stop")).isEqualTo("true");
    worker.settle(held, "\"outcome\":\"cancelled\"");
    assertThat(api.client().get("/v1/jobs/" + job).at("/state")).isEqualTo("cancelled");
  }

  @Test
  void what_no_worker_takes_in_the_time_of_an_attempt_ends_without_a_doubt_and_waits_for_a_word() {
    String job = api.client().submit("k", "brief", "{}").at("/id");
    api.client().post("/v1/jobs/" + job + "/attempts", "{\"provider\":\"brief\"}");
    ApiAnswer waiting = ApiNode.awaitJob(api.client(), job, "/waiting_for", "decision");
    assertThat(waiting.at("/attempts/0/state")).isEqualTo("cancelled");
    assertThat(waiting.at("/attempts/0/failure/code")).isEqualTo("no-worker");
    assertThat(waiting.json().at("/attempts/0/unknown_at").isNull()).isTrue();
    api.client().post("/v1/jobs/" + job + "/attempts", "{\"provider\":\"brief\"}");
    assertThat(worker.take("brief").whole().path("number").asInt()).isEqualTo(2);
  }

  @Test
  void an_offer_that_loses_its_race_untaken_is_lost_at_once() {
    String job = api.client().submit("k", "pulled-race", "{}").at("/id");
    Worker.Held held = worker.take("pulled-race");
    worker.accepted(held);
    ApiAnswer pressed = api.client().post("/v1/jobs/" + job + "/attempts", "{\"provider\":\"w\"}");
    assertThat(pressed.status()).as(pressed.text()).isEqualTo(201);
    worker.settle(held, "\"outcome\":\"succeeded\",\"result\":1");
    ApiAnswer ended = ApiNode.awaitJob(api.client(), job, "/attempts/1/state", "lost");
    assertThat(ended.at("/state")).isEqualTo("succeeded");
    assertThat(ended.json().at("/attempts/1/unknown_at").isNull()).isTrue();
  }

  @Test
  void higher_priority_goes_first_and_then_the_longer_wait() {
    String first = submit("1");
    String second = submit("2");
    String urgent =
        api.client().submit("3", "{\"kind\":\"pulled\",\"input\":1,\"priority\":5}").at("/id");
    List<String> jobs = IntStream.range(0, 3).mapToObj(i -> worker.take("pulled").job()).toList();
    assertThat(jobs).containsExactly(urgent, first, second);
  }

  @Test
  void a_claim_that_is_sent_again_gets_the_same_attempts_and_starts_no_more() {
    submit("1");
    submit("2");
    submit("3");
    ApiAnswer claim = worker.claim("pulled", 2, "r1", 0);
    ApiAnswer again = worker.claim("pulled", 2, "r1", 20);
    assertThat(claim.json().path("attempts").size()).isEqualTo(2);
    assertThat(tokens(again)).isEqualTo(tokens(claim));
    assertThat(queued()).isEqualTo(1);
  }

  @Test
  void what_was_accepted_is_never_given_again_and_a_used_claim_starts_nothing() {
    submit("1");
    submit("2");
    submit("3");
    ApiAnswer claim = worker.claim("pulled", 2, "r1", 0);
    worker.accepted(Worker.held(claim, 0));
    assertThat(tokens(worker.claim("pulled", 2, "r1", 0)))
        .containsExactly(Worker.held(claim, 1).token());
    worker.accepted(Worker.held(claim, 1));
    assertThat(tokens(worker.claim("pulled", 2, "r1", 20))).isEmpty();
    assertThat(queued()).isEqualTo(1);
  }

  @Test
  void a_request_id_belongs_to_the_key_that_it_was_sent_with() {
    submit("1");
    submit("2");
    Worker other = new Worker(api.node().client(Role.WORKER, "shop"), "w1");
    List<String> mine = tokens(worker.claim("pulled", 1, "r1", 0));
    List<String> others = tokens(other.claim("pulled", 1, "r1", 0));
    assertThat(mine).hasSize(1);
    assertThat(others).hasSize(1).isNotEqualTo(mine);
  }

  @Test
  void the_same_claim_sent_many_times_at_once_starts_its_work_once() throws Exception {
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < 6; i++) {
        submit("k-" + round + "-" + i);
      }
      String request = "r" + round;
      List<ApiAnswer> answers = atOnce(8, () -> untilThereIsWork(request));
      assertThat(answers.stream().map(ClaimTest::tokens).distinct()).hasSize(1);
      int started = tokens(answers.getFirst()).size();
      assertThat(started).isBetween(1, 3);
      assertThat(queued()).isEqualTo(6 - started);
      while (queued() > 0) { // each round begins alike
        worker.claim("pulled", 6);
      }
    }
  }

  private int queued() {
    return api.client().get("/v1/jobs?state=queued").json().path("jobs").size();
  }

  /** With nothing to be had a claim goes on under its id: an earlier try may be on its way. */
  private ApiAnswer untilThereIsWork(String request) {
    ApiAnswer answer = worker.claim("pulled", 3, request, 0);
    while (tokens(answer).isEmpty()) {
      answer = worker.claim("pulled", 3, request, 0);
    }
    return answer;
  }

  @Test
  void workers_at_once_never_get_the_same_job() throws Exception {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 48; i++) {
      jobs.add(submit("k" + i));
    }
    List<ApiAnswer> answers = atOnce(16, () -> worker.claim("pulled", 3));
    List<String> taken =
        answers.stream()
            .flatMap(a -> a.json().findValues("job_id").stream())
            .map(id -> id.asString())
            .toList();
    assertThat(taken).doesNotHaveDuplicates().isSubsetOf(jobs);
  }

  @Test
  void a_claim_waits_for_work_that_comes_later() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ApiAnswer> claim = threads.submit(() -> worker.claim("pulled", 1, "r1", 30));
      String job = submit("k");
      assertThat(claim.get(60, TimeUnit.SECONDS).at("/attempts/0/job_id")).isEqualTo(job);
    }
  }

  @Test
  void a_retry_that_comes_due_is_given_to_one_who_waits() throws Exception {
    String job = submit("k");
    Worker.Held held = worker.take("pulled");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ApiAnswer> claim = threads.submit(() -> worker.claim("pulled", 1, "r1", 30));
      worker.settle(held, "\"outcome\":\"failed\",\"retryable\":true,\"retry_after\":0.4");
      ApiAnswer again = claim.get(60, TimeUnit.SECONDS);
      assertThat(again.at("/attempts/0/job_id")).isEqualTo(job);
      assertThat(again.at("/attempts/0/number")).isEqualTo("2");
    }
  }

  @Test
  void a_claim_with_nothing_to_do_is_answered_when_its_time_is_over() {
    String body = "{\"kinds\":[\"pulled\"],\"request_id\":\"r\",\"worker\":\"w\"}";
    Instant from = Instant.now();
    ApiAnswer answer =
        new ApiClient(api.uri(), api.node().secret(Role.WORKER, "shop"))
            .send("POST", "/v1/attempts/claim", body, Map.of("Prefer", "wait=1"));
    assertThat(Duration.between(from, Instant.now())).isGreaterThan(Duration.ofMillis(900));
    assertThat(answer.text()).isEqualTo("{\"attempts\":[]}");
    assertThat(answer.header("Preference-Applied")).contains("wait=1");
  }

  @Test
  void a_worker_works_for_its_own_owner_and_an_operator_for_all() {
    String job = submit("k");
    Worker stranger = new Worker(api.node().client(Role.WORKER, "bakery"), "w1");
    assertThat(tokens(stranger.claim("pulled", 1))).isEmpty();
    assertThat(new Worker(api.operator(), "w1").take("pulled").job()).isEqualTo(job);
  }

  @Test
  void one_worker_holds_no_more_than_the_provider_allows() {
    for (int i = 0; i < 4; i++) {
      api.client().submit("k" + i, "brief-race", "{}");
    }
    ApiAnswer claim = worker.claim("brief-race", 3);
    assertThat(tokens(claim)).hasSize(2);
    assertThat(tokens(worker.claim("brief-race", 3))).isEmpty();
    Worker other = new Worker(api.node().client(Role.WORKER, "shop"), "w1");
    assertThat(tokens(other.claim("brief-race", 1))).hasSize(1);
    assertThat(
            worker.settle(Worker.held(claim, 0), "\"outcome\":\"succeeded\",\"result\":1").status())
        .isEqualTo(200);
    assertThat(tokens(worker.claim("brief-race", 3))).hasSize(1);
  }

  @Test
  void a_kind_that_the_node_does_not_know_is_refused_by_its_place() {
    ApiAnswer answer = worker.claim("plain\",\"no-such", 1);
    assertThat(answer.code()).isEqualTo("kind-unknown");
    assertThat(answer.at("/pointer")).isEqualTo("/kinds/1");
  }

  private static List<String> tokens(ApiAnswer claim) {
    assertThat(claim.status()).as(claim.text()).isEqualTo(200);
    return claim.json().findValues("lease_token").stream().map(t -> t.asString()).toList();
  }

  private static List<ApiAnswer> atOnce(int times, Callable<ApiAnswer> call) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ApiAnswer>> futures =
          IntStream.range(0, times)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            go.await();
                            return call.call();
                          }))
              .toList();
      go.countDown();
      List<ApiAnswer> answers = new ArrayList<>();
      for (Future<ApiAnswer> future : futures) {
        answers.add(future.get(60, TimeUnit.SECONDS));
      }
      return answers;
    }
  }
}
