package dev.onejob.system;

import static dev.onejob.system.LeaseConfig.answerAfter;
import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM, while there is work. */
@Tag("process")
class StopUnderLoadTest {
  private static final int CLIENTS = 6;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private NodeProcess node(String name, String stopGrace) {
    return NodeProcess.start(
        postgres.url(), folder, name, LeaseConfig.arguments(folder, stopGrace));
  }

  private Map<String, Integer> count(String column, String table) throws Exception {
    Map<String, Integer> counts = new TreeMap<>();
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT " + column + ", count(*) FROM onejob." + table + " GROUP BY 1")) {
      while (rows.next()) {
        counts.put(rows.getString(1), rows.getInt(2));
      }
    }
    return counts;
  }

  /** Submits one job after the other until the node answers no more. */
  private static void submitOn(ApiClient client, int number, ConcurrentLinkedQueue<String> ids) {
    try {
      for (int i = 0; ; i++) {
        ids.add(
            created(
                client.submit("k-" + number + "-" + i, "slow", answerAfter(200 + i % 7 * 200))));
      }
    } catch (AssertionError e) {
      assertThat(e.getMessage()).contains("got no answer"); // the door has closed
    }
  }

  @Test
  void no_attempt_ends_in_doubt_when_its_work_fits_into_the_grace_and_no_job_is_lost()
      throws Exception {
    ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();
    String key;
    try (NodeProcess node = node("n1", "30s")) {
      key = node.firstKey("client");
      ApiClient client = node.client(key);
      List<Thread> load = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        load.add(Thread.ofVirtual().start(() -> submitOn(client, number, ids)));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> count("state", "attempt").size() >= 2);
      node.terminate();
      await().pollInterval(Duration.ofMillis(5)).until(() -> client.get("/readyz").status() == 503);
      ApiAnswer whileItStops = client.get("/v1/jobs/" + ids.peek());
      node.awaitEnd();
      for (Thread each : load) {
        each.join();
      }
      assertThat(whileItStops.status()).isEqualTo(200);
    }

    Map<String, Integer> attempts = count("state", "attempt");
    Map<String, Integer> jobs = count("state", "job");
    assertThat(attempts).containsOnlyKeys("succeeded");
    assertThat(jobs.keySet()).isSubsetOf("succeeded", "queued").contains("succeeded");
    assertThat(jobs.values().stream().mapToInt(i -> i).sum()).isGreaterThanOrEqualTo(ids.size());
    allSucceedAfterASecondStart(key, ids);
  }

  private void allSucceedAfterASecondStart(String key, Iterable<String> ids) {
    try (NodeProcess again = node("n2", "30s")) {
      ApiClient client = again.client(key);
      for (String id : ids) {
        awaitJob(client, id, "/state", "succeeded");
        assertThat(effects(client, id)).isEqualTo(1);
        assertThat(requests(client, id)).isEqualTo(1);
      }
    }
  }

  @Test
  void what_does_not_fit_into_the_grace_is_in_doubt_when_the_node_has_ended_with_a_line_for_each()
      throws Exception {
    String id;
    try (NodeProcess node = node("n1", "1s")) {
      ApiClient client = node.client(node.firstKey("client"));
      id = created(client.submit("k", "slow", answerAfter(60_000)));
      await().until(() -> requests(client, id) == 1);
      node.terminate();
      node.awaitEnd();

      assertThat(node.output().lines().filter(line -> line.contains(id)))
          .singleElement()
          .asString()
          .contains(" doubt ", "code=node-stopped");
    }
    assertThat(count("state", "job")).containsOnlyKeys("unknown");
    assertThat(count("failure_code", "attempt")).containsOnlyKeys("node-stopped");
  }
}
