package dev.onejob.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Case C38, shortened: a transaction that somebody has left open. */
@Tag("process")
class OldTransactionTest {
  private static final int ROUND = 400;
  private static final int ROUNDS = 12;

  /** Looks may grow slower while dead rows stay, by no more than this. */
  private static final double FACTOR_MAX = 5;

  /** What a look may take in any case, on a machine that does other things as well. */
  private static final double LOOK_SECONDS = 0.02;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private static void round(TwoNodes nodes, String name) throws Exception {
    List<Callable<ApiAnswer>> submits = new ArrayList<>();
    for (int i = 0; i < ROUND; i++) {
      ApiClient client = i % 2 == 0 ? nodes.client1 : nodes.client2;
      String key = name + "-" + i;
      submits.add(() -> client.submit(key, "demo", "{}"));
    }
    List<ApiAnswer> answers = TwoNodes.atOnce(submits);
    assertThat(answers).extracting(ApiAnswer::status).containsOnly(201);
    for (String state : List.of("queued", "running")) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> nodes.client1.get("/v1/jobs?limit=1&state=" + state).json().at("/jobs"),
              JsonNode::isEmpty);
    }
  }

  private static double metric(TwoNodes nodes, String name) {
    Matcher value =
        Pattern.compile("^" + name + "(?:\\{[^}]*})? (\\S+)$", Pattern.MULTILINE)
            .matcher(nodes.operator1.get("/metrics").text());
    assertThat(value.find()).as(name).isTrue();
    return Double.parseDouble(value.group(1));
  }

  private record Looks(double count, double seconds) {
    static Looks of(TwoNodes nodes) {
      return new Looks(
          metric(nodes, "onejob_look_seconds_count"), metric(nodes, "onejob_look_seconds_sum"));
    }

    double meanSince(Looks before) {
      return (seconds - before.seconds) / (count - before.count);
    }
  }

  private int pid(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void c38_is_named_while_looks_stay_quick_and_is_forgotten_when_it_has_ended() throws Exception {
    try (TwoNodes nodes = new TwoNodes(postgres.url(), folder)) {
      round(nodes, "warm");
      Looks warm = Looks.of(nodes);
      round(nodes, "before");
      Looks before = Looks.of(nodes);
      try (Connection analyst = postgres.dataSource().getConnection();
          Statement statement = analyst.createStatement()) {
        analyst.setAutoCommit(false);
        analyst.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        statement.execute("SET application_name = 'yearly-report'");
        statement.execute("SELECT count(*) FROM onejob.job");
        String named = "pid " + pid(statement) + ",";
        for (int i = 0; i < ROUNDS; i++) {
          round(nodes, "r" + i);
        }
        Looks after = Looks.of(nodes);

        assertThat(after.meanSince(before))
            .isLessThan(Math.max(LOOK_SECONDS, FACTOR_MAX * before.meanSince(warm)));
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(nodes.first.output())
                        .contains("a transaction is open for", named, "yearly-report"));
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> metric(nodes, "onejob_database_oldest_transaction_age_seconds"),
                age -> age > 30);
        analyst.rollback();
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> metric(nodes, "onejob_database_oldest_transaction_age_seconds"),
              age -> age < 30);
    }
  }
}
