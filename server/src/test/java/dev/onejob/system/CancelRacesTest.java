package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case C57: cancels that race with a start, with a result and with each other. */
@Tag("process")
class CancelRacesTest {
  private static final int ROUNDS = 100;
  private static final Set<String> ENDED = Set.of("succeeded", "cancelled", "unknown");

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

  private ApiAnswer cancel(int i, String id) {
    return (i % 2 == 0 ? nodes.client1 : nodes.client2).post("/v1/jobs/" + id + "/cancel", "");
  }

  @Test
  void a_cancel_that_races_with_the_start_has_one_winner_and_the_answer_is_true() {
    for (int i = 0; i < ROUNDS; i++) {
      String id = created(nodes.client1.submit("start-" + i, "demo", "{}"));
      agrees(id, cancel(i, id));
    }
  }

  @Test
  void a_cancel_that_races_with_the_result_has_one_winner_and_the_answer_is_true()
      throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      int round = i;
      String input = "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":" + (5 + i % 20) + "}}}";
      String id = created(nodes.client1.submit("result-" + i, "demo", input));
      agrees(id, TwoNodes.<ApiAnswer>atOnce(List.of(() -> cancel(round, id))).getFirst());
    }
  }

  @Test
  void two_cancels_at_once_agree() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      String input = "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":40}}}";
      String id = created(nodes.client1.submit("both-" + i, "demo", input));
      for (ApiAnswer answer :
          TwoNodes.<ApiAnswer>atOnce(List.of(() -> cancel(0, id), () -> cancel(1, id)))) {
        agrees(id, answer);
      }
    }
  }

  private void agrees(String id, ApiAnswer cancelled) {
    if (cancelled.status() == 409) {
      assertThat(cancelled.code()).isEqualTo("job-ended");
      assertThat(cancelled.at("/state")).isEqualTo("succeeded");
      assertThat(nodes.client2.get("/v1/jobs/" + id).at("/state")).isEqualTo("succeeded");
      return;
    }
    assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
    assertThat(cancelled.at("/cancel_requested_at")).isNotEqualTo("null");
    ApiAnswer ended =
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(10))
            .until(() -> nodes.client2.get("/v1/jobs/" + id), a -> ENDED.contains(a.at("/state")));
    boolean neverStarted = ended.json().at("/attempts").isEmpty();
    assertThat(ended.at("/state").equals("cancelled") && !neverStarted).isFalse();
    assertThat(TwoNodes.effects(nodes.client1, id)).isEqualTo(neverStarted ? 0 : 1);
  }

  @Test
  void a_cancel_of_an_ended_job_says_how_it_ended_and_a_repeat_is_harmless() {
    String done = created(nodes.client1.submit("done", "demo", "{}"));
    awaitJob(nodes.client1, done, "/state", "succeeded");
    ApiAnswer tooLate = cancel(1, done);
    String refused = "{\"script\":{\"sandbox-a\":{\"outcome\":\"refuse\"}}}";
    String waiting = created(nodes.client1.submit("waiting", "demo", refused));
    awaitJob(nodes.client1, waiting, "/waiting_for", "qualification");
    ApiAnswer first = cancel(0, waiting);
    ApiAnswer repeat = cancel(1, waiting);

    assertThat(tooLate.status()).isEqualTo(409);
    assertThat(tooLate.at("/detail")).contains("already").contains("succeeded");
    assertThat(first.at("/state")).isEqualTo("cancelled");
    assertThat(repeat.status()).isEqualTo(200);
    assertThat(repeat.at("/ended_at")).isEqualTo(first.at("/ended_at"));
    assertThat(cancel(0, "job_00000000000000000000000000").status()).isEqualTo(404);
  }
}
