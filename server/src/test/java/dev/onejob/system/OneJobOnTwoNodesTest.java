package dev.onejob.system;

import static dev.onejob.system.TwoNodes.atOnce;
import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.Dump;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two real nodes on one PostgreSQL, over HTTP, against the sandbox's own count of effects. */
@Tag("process")
class OneJobOnTwoNodesTest {
  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  @TempDir static Path folder;

  private static TwoNodes nodes;

  @BeforeAll
  static void start() {
    nodes = new TwoNodes(postgres.url(), folder);
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  private ApiClient either(int i) {
    return i % 2 == 0 ? nodes.client1 : nodes.client2;
  }

  private List<ApiAnswer> twoHundred(String key, String input) throws Exception {
    List<Callable<ApiAnswer>> clicks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ApiClient client = either(i);
      String body = "{\"kind\":\"demo\",\"input\":" + input + ",\"tags\":[\"double\"]}";
      clicks.add(() -> client.submit(key, body));
    }
    return atOnce(clicks);
  }

  @Test
  void a_double_click_times_a_hundred_makes_one_job_and_one_effect() throws Exception {
    List<ApiAnswer> answers = twoHundred("order-1", "{\"n\":1}");

    assertThat(answers).extracting(ApiAnswer::status).containsOnly(200, 201);
    assertThat(answers.stream().filter(a -> a.status() == 201)).hasSize(1);
    assertThat(answers).extracting(a -> a.at("/id")).containsOnly(answers.getFirst().at("/id"));
    String id = answers.getFirst().at("/id");
    awaitJob(nodes.client2, id, "/state", "succeeded");
    assertThat(nodes.client1.get("/v1/jobs?kind=demo&tag=double").json().at("/jobs").size())
        .isEqualTo(1);
    assertThat(effects(nodes.client1, id)).isEqualTo(1);
    assertThat(requests(nodes.client2, id)).isEqualTo(1);
  }

  @Test
  void the_same_key_with_other_input_is_a_mismatch_in_parallel_and_changes_nothing()
      throws Exception {
    List<Callable<ApiAnswer>> clicks = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ApiClient client = either(i);
      String input = "{\"version\":" + (i / 2 % 2) + "}";
      clicks.add(() -> client.submit("order-2", "demo", input));
    }
    List<ApiAnswer> answers = atOnce(clicks);
    List<ApiAnswer> good = answers.stream().filter(a -> a.status() < 300).toList();
    List<ApiAnswer> mismatches = answers.stream().filter(a -> a.status() == 409).toList();

    assertThat(good).hasSize(50);
    assertThat(mismatches).hasSize(50).extracting(ApiAnswer::code).containsOnly("intent-mismatch");
    String id = good.getFirst().at("/id");
    assertThat(good).extracting(a -> a.at("/id")).containsOnly(id);
    awaitJob(nodes.client1, id, "/state", "succeeded");
    assertThat(effects(nodes.client1, id)).isEqualTo(1);
  }

  @Test
  void the_same_key_with_other_input_is_a_mismatch_before_the_start_while_running_and_when_done() {
    String slow = "{\"script\":{\"sandbox-a\":{\"outcome\":\"succeed\",\"answer_after_ms\":1500}}}";
    String running = created(nodes.client1.submit("running", "demo", slow));
    mismatches("running", "{}");
    awaitJob(nodes.client1, running, "/state", "succeeded");
    String done = nodes.client1.get("/v1/jobs/" + running).text();
    mismatches("running", "{}");

    assertThat(nodes.client2.get("/v1/jobs/" + running).text()).isEqualTo(done);
    String refused = "{\"script\":{\"sandbox-a\":{\"outcome\":\"refuse\"}}}";
    String waiting = created(nodes.client1.submit("waiting", "demo", refused));
    awaitJob(nodes.client2, waiting, "/waiting_for", "qualification");
    mismatches("waiting", "{}");
    assertThat(effects(nodes.client1, running)).isEqualTo(1);
    assertThat(effects(nodes.client1, waiting)).isZero();
  }

  private void mismatches(String key, String otherInput) {
    assertThat(nodes.client1.submit(key, "demo", otherInput).code()).isEqualTo("intent-mismatch");
    assertThat(nodes.client2.submit(key, "demo", otherInput).code()).isEqualTo("intent-mismatch");
    assertThat(nodes.client2.submit(key, "demo-race", otherInput).code())
        .isEqualTo("intent-mismatch");
  }

  private static final String SILENT_THEN_GOOD =
      """
      {"script": {
        "sandbox-a": [{"outcome": "hang"}, {"outcome": "succeed", "value": "again"}],
        "sandbox-b": {"outcome": "succeed", "value": "second"}}}
      """;

  private String inDoubt(String key) {
    String id = created(nodes.client1.submit(key, "demo", SILENT_THEN_GOOD));
    awaitJob(nodes.client2, id, "/state", "unknown");
    return id;
  }

  @Test
  void a_timeout_is_unknown_and_blocks_the_button_on_both_nodes_until_a_person_decides() {
    String id = inDoubt("order-3");
    String attempt = nodes.client1.get("/v1/jobs/" + id).at("/attempts/0/id");

    for (ApiClient client : List.of(nodes.client1, nodes.client2)) {
      ApiAnswer blocked = client.post("/v1/jobs/" + id + "/attempts", "");
      assertThat(blocked.status()).isEqualTo(409);
      assertThat(blocked.code()).isEqualTo("attempt-blocked");
      assertThat(blocked.at("/blocking_attempt")).isEqualTo(attempt);
      assertThat(blocked.at("/blocking_state")).isEqualTo("unknown");
    }
    assertThat(effects(nodes.client1, id)).isZero();
    assertThat(requests(nodes.client1, id)).isEqualTo(1);
    resolve(attempt, "{\"verdict\":\"not_done\",\"then\":\"wait\",\"reason\":\"asked them\"}");
    awaitJob(nodes.client1, id, "/waiting_for", "decision");
    ApiAnswer pressed = nodes.client2.post("/v1/jobs/" + id + "/attempts", "");
    assertThat(pressed.status()).as(pressed.text()).isEqualTo(201);
    assertThat(pressed.at("/attempt/provider")).isEqualTo("sandbox-b");
    assertThat(awaitJob(nodes.client1, id, "/state", "succeeded").at("/result"))
        .isEqualTo("second");
    assertThat(effects(nodes.client2, id)).isEqualTo(1);
  }

  @Test
  void after_not_done_then_retry_the_job_goes_on_by_itself() {
    String id = inDoubt("order-4");
    String attempt = nodes.client1.get("/v1/jobs/" + id).at("/attempts/0/id");
    assertThat(effects(nodes.client1, id)).isZero();
    resolve(attempt, "{\"verdict\":\"not_done\",\"then\":\"retry\",\"reason\":\"asked them\"}");

    assertThat(awaitJob(nodes.client2, id, "/state", "succeeded").at("/result")).isEqualTo("again");
    assertThat(effects(nodes.client2, id)).isEqualTo(1);
    assertThat(nodes.client1.get("/v1/attempts/" + attempt).at("/resolutions/0/reason"))
        .isEqualTo("asked them");
  }

  private void resolve(String attempt, String body) {
    ApiAnswer resolved = nodes.operator2.post("/v1/attempts/" + attempt + "/resolution", body);
    assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
  }

  @Test
  void in_a_reversed_finish_the_second_wins_and_the_first_is_lost_without_a_trace_of_its_payload()
      throws Exception {
    String id =
        created(
            nodes.client1.submit(
                "order-5",
                "demo-race",
                """
                {"script": {
                  "sandbox-a": {"answer_after_ms": 3000, "value": "first"},
                  "sandbox-b": {"answer_after_ms": 100, "value": "second"}}}
                """));
    ApiAnswer won = awaitJob(nodes.client1, id, "/state", "succeeded");
    ApiAnswer after = awaitJob(nodes.client2, id, "/attempts/0/state", "lost");

    assertThat(after.at("/attempts/1/provider")).isEqualTo("sandbox-b");
    assertThat(after.at("/attempts/1/cause")).isEqualTo("race");
    assertThat(after.at("/result")).isEqualTo("second");
    assertThat(after.at("/completed_by")).isEqualTo(after.at("/attempts/1/id"));
    assertThat(after.at("/version")).isEqualTo(won.at("/version"));
    assertThat(after.at("/attempts/0/lost_to")).isEqualTo(after.at("/attempts/1/id"));
    assertThat(after.json().at("/attempts/0/report/bytes").asInt()).isPositive();
  }

  @Test
  void a_marker_in_the_late_payload_is_found_in_no_table() throws Exception {
    // The marker is computed by the sandbox, so that the stored input does not hold it.
    String id =
        created(
            nodes.client1.submit(
                "order-6",
                "demo-race",
                """
                {"script": {
                  "sandbox-a": {"answer_after_ms": 3000, "value": "ma\\u0072ker-of-the-loser"},
                  "sandbox-b": {"answer_after_ms": 100, "value": "ma\\u0072ker-of-the-winner"}}}
                """));
    awaitJob(nodes.client2, id, "/attempts/0/state", "lost");
    String dump = Dump.of(postgres.dataSource());

    assertThat(dump).contains("marker-of-the-winner").doesNotContain("marker-of-the-loser");
  }

  @Test
  void an_attempt_abandoned_out_of_band_that_answers_first_does_not_win() {
    String id =
        created(
            nodes.client1.submit(
                "order-7",
                "demo",
                """
                {"script": {
                  "sandbox-a": {"answer_after_ms": 2500, "value": "abandoned"},
                  "sandbox-b": {"answer_after_ms": 4000, "value": "new"}}}
                """));
    ApiAnswer started = awaitJob(nodes.client1, id, "/attempts/0/state", "starting");
    resolve(
        started.at("/attempts/0/id"),
        "{\"verdict\":\"abandon\",\"then\":\"wait\",\"reason\":\"too slow\"}");
    ApiAnswer pressed = nodes.client2.post("/v1/jobs/" + id + "/attempts", "");
    assertThat(pressed.status()).as(pressed.text()).isEqualTo(201);
    ApiAnswer late = awaitJob(nodes.client2, id, "/contested", "true");
    ApiAnswer ended = awaitJob(nodes.client1, id, "/state", "succeeded");

    assertThat(late.at("/state")).isEqualTo("running");
    assertThat(ended.at("/result")).isEqualTo("new");
    assertThat(ended.at("/attempts/0/state")).isEqualTo("cancelled");
    assertThat(ended.at("/attempts/0/evidence/0/source")).isEqualTo("late_answer");
    assertThat(effects(nodes.client1, id)).isEqualTo(2); // one more, for the one abandoned
  }
}
