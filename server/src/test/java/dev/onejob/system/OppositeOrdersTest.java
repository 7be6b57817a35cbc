package dev.onejob.system;

import static dev.onejob.system.TwoNodes.atOnce;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case C19. */
@Tag("process")
class OppositeOrdersTest {
  private static final Duration LOAD = Duration.ofSeconds(60);
  private static final int BATCH = 50;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  @Test
  void overlapping_batches_in_opposite_orders_while_both_nodes_work_show_no_fault()
      throws Exception {
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder)) {
      Instant end = Instant.now().plus(LOAD);
      int round = 0;
      while (Instant.now().isBefore(end)) {
        List<ApiAnswer> answers = atOnce(bothOrders(nodes, round));
        assertThat(answers).extracting(ApiAnswer::status).containsOnly(200, 201);
        round++;
      }
      assertThat(round).isGreaterThan(20);
      await().atMost(Duration.ofSeconds(60)).until(() -> count("state <> 'succeeded'") == 0);
      assertThat(count("true")).isEqualTo((round + 1L) * BATCH / 2);
      assertThat(nodes.first.isAlive()).isTrue();
      assertThat(nodes.second.isAlive()).isTrue();
    }
  }

  /** Half of the keys of a batch come again in the next. */
  private static List<Callable<ApiAnswer>> bothOrders(TwoNodes nodes, int round) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      keys.add("key-" + (round * BATCH / 2 + i));
    }
    List<Callable<ApiAnswer>> calls = new ArrayList<>();
    keys.forEach(key -> calls.add(submit(nodes.client1, key)));
    Collections.reverse(keys);
    keys.forEach(key -> calls.add(submit(nodes.client2, key)));
    return calls;
  }

  private static Callable<ApiAnswer> submit(ApiClient client, String key) {
    return () -> client.submit(key, "demo", "{}");
  }

  private long count(String condition) throws Exception {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT count(*) FROM onejob.job WHERE " + condition)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
