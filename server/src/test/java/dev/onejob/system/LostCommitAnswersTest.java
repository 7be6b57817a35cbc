package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case C20, and its like: the database has committed, and the node never learns of it. */
@Tag("process")
class LostCommitAnswersTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private interface Body {
    void run(DatabaseProxy proxy, NodeProcess node, ApiClient client) throws Exception;
  }

  private void throughAProxy(Body body) throws Exception {
    try (DatabaseProxy proxy = new DatabaseProxy(postgres.url());
        NodeProcess node = NodeProcess.start(proxy.url(), folder, "n1", List.of())) {
      body.run(proxy, node, node.client(node.firstKey("client")));
    }
  }

  private static void ranOnce(ApiClient client, String id) {
    ApiAnswer ended = awaitJob(client, id, "/state", "succeeded");
    assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
    assertThat(ended.at("/attempts/0/state")).isEqualTo("succeeded");
    assertThat(requests(client, id)).isEqualTo(1);
    assertThat(effects(client, id)).isEqualTo(1);
  }

  @Test
  void of_a_submit_it_says_that_nothing_is_known_and_the_repeat_finds_the_job() throws Exception {
    throughAProxy(
        (proxy, node, client) -> {
          proxy.loseCommitAnswer("INSERT INTO onejob.job");
          ApiAnswer lost = client.submit("k", "demo", "{}");
          proxy.awaitLost();
          ApiAnswer again = client.submit("k", "demo", "{}");

          assertThat(lost.status()).isEqualTo(503);
          assertThat(lost.code()).isEqualTo("database-unavailable");
          assertThat(again.status()).isEqualTo(200);
          assertThat(again.header("Idempotency-Replayed")).contains("true");
          ranOnce(client, again.at("/id"));
        });
  }

  @Test
  void of_a_start_the_node_takes_up_the_attempt_that_was_written_and_makes_the_call_once()
      throws Exception {
    throughAProxy(
        (proxy, node, client) -> {
          proxy.loseCommitAnswer("started AS");
          String id = created(client.submit("k", "demo", "{}"));
          proxy.awaitLost();

          ranOnce(client, id);
          assertThat(node.output()).contains(id + " may have been started, it is asked again");
        });
  }

  @Test
  void of_the_button_it_says_that_nothing_is_known_and_the_attempt_runs_all_the_same()
      throws Exception {
    throughAProxy(
        (proxy, node, client) -> {
          String refused = "{\"script\":{\"sandbox-a\":{\"outcome\":\"refuse\"}}}";
          String id = created(client.submit("k", "demo", refused));
          awaitJob(client, id, "/waiting_for", "qualification");
          proxy.loseCommitAnswer("started AS");
          ApiAnswer lost = client.post("/v1/jobs/" + id + "/attempts", "");
          proxy.awaitLost();
          ApiAnswer ended = awaitJob(client, id, "/state", "succeeded");

          assertThat(lost.status()).isEqualTo(503);
          assertThat(ended.json().at("/attempts").size()).isEqualTo(2);
          assertThat(effects(client, id)).isEqualTo(1);
        });
  }

  @Test
  void of_a_settle_the_node_says_it_again_and_nothing_is_lost_or_doubled() throws Exception {
    throughAProxy(
        (proxy, node, client) -> {
          proxy.loseCommitAnswer("swapped AS");
          String id = created(client.submit("k", "demo", "{}"));
          proxy.awaitLost();

          ranOnce(client, id);
          assertThat(node.output()).contains(id).contains("is not yet written");
        });
  }

  @Test
  void of_a_cancel_it_says_that_nothing_is_known_and_the_repeat_finds_it_done() throws Exception {
    throughAProxy(
        (proxy, node, client) -> {
          String refused = "{\"script\":{\"sandbox-a\":{\"outcome\":\"refuse\"}}}";
          String id = created(client.submit("k", "demo", refused));
          awaitJob(client, id, "/waiting_for", "qualification");
          proxy.loseCommitAnswer("cancel_requested_at = $");
          ApiAnswer lost = client.post("/v1/jobs/" + id + "/cancel", "");
          proxy.awaitLost();
          ApiAnswer again = client.post("/v1/jobs/" + id + "/cancel", "");

          assertThat(lost.status()).isEqualTo(503);
          assertThat(again.status()).isEqualTo(200);
          assertThat(again.at("/state")).isEqualTo("cancelled");
        });
  }
}
