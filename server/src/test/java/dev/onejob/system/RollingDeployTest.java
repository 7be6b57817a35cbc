package dev.onejob.system;

import static dev.onejob.system.LeaseConfig.answerAfter;
import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.server.testing.ApiClient;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case C62: old and new nodes over one database, forward and back, with work in flight. */
@Tag("process")
class RollingDeployTest {
  private static final String OLD_KIND = "  old: {route: [sandbox-a], attempt_timeout: 1m}\n";
  private static final String NEW_KIND = "  new: {route: [sandbox-n], in_flight: 1}\n";
  private static final String OLD_PROVIDER = "  sandbox-a: {type: sandbox}\n";
  private static final String NEW_PROVIDER = "  sandbox-n: {type: sandbox}\n";

  /** As the migration of a newer version would leave the schema. */
  private static final String NEWER_SCHEMA =
      """
      SET lock_timeout = '2s';
      ALTER TABLE onejob.job ADD COLUMN newer text;
      ALTER TABLE onejob.attempt ADD COLUMN newer integer NOT NULL DEFAULT 0;
      INSERT INTO onejob.schema_history (
        installed_rank, version, description, type, script, checksum, installed_by,
        execution_time, success)
      SELECT
        max(installed_rank) + 1, '999', 'newer', 'SQL', 'V999__newer.sql', 1, current_user, 1, true
      FROM onejob.schema_history;
      """;

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private NodeProcess node(String name, String kinds, String providers) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve(name + ".yaml"),
            "server: {stop_grace: 40s}\nkinds:\n" + kinds + "providers:\n" + providers);
    return NodeProcess.start(postgres.url(), folder, name, List.of("--config", config.toString()));
  }

  private NodeProcess oldNode(String name) throws IOException {
    return node(name, OLD_KIND, OLD_PROVIDER);
  }

  private NodeProcess newNode(String name) throws IOException {
    return node(name, OLD_KIND + NEW_KIND, OLD_PROVIDER + NEW_PROVIDER);
  }

  private void migrateToANewerVersion() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(NEWER_SCHEMA);
    }
  }

  private static List<String> submitted(
      ApiClient client, String name, String kind, String input, int jobs) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      ids.add(created(client.submit(name + i, kind, input)));
    }
    return ids;
  }

  private static void assertRanOnce(ApiClient client, String job) {
    ApiAnswer ended = awaitJob(client, job, "/state", "succeeded");
    assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
    assertThat(effects(client, job)).isEqualTo(1);
  }

  @Test
  void c62_nobody_takes_what_it_does_not_know_the_rest_waits_and_nothing_fails_for_a_version()
      throws Exception {
    try (NodeProcess first = oldNode("n1")) {
      String key = first.firstKey("client");
      ApiClient atOld = first.client(key);
      List<String> old = submitted(atOld, "before", "old", answerAfter(6_000), 8);
      migrateToANewerVersion();
      List<String> waiting;
      try (NodeProcess second = newNode("n2")) {
        ApiClient atNew = second.client(key);
        old.addAll(submitted(atOld, "old-at-old", "old", answerAfter(500), 4));
        old.addAll(submitted(atNew, "old-at-new", "old", answerAfter(500), 4));
        assertThat(atOld.submit("refused", "new", "{}").code()).isEqualTo("kind-unknown");
        assertThat(claim(first).code()).isEqualTo("kind-unknown");
        ApiAnswer again = atNew.submit("before0", "old", answerAfter(6_000));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.at("/id")).isEqualTo(old.getFirst());
        assertThat(atNew.submit("before1", "old", answerAfter(1)).code())
            .isEqualTo("intent-mismatch");
        waiting = submitted(atNew, "first", "new", answerAfter(15_000), 1);
        waiting.addAll(submitted(atNew, "new", "new", answerAfter(100), 4)); // one slot: they wait
        second.terminate(); // the roll back, with work in flight
        second.awaitEnd();
      }
      old.forEach(job -> assertRanOnce(atOld, job));
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(first.output())
                      .contains("jobs of kind new at provider sandbox-n have been due for over")
                      .contains("does not know the kind"));
      assertThat(atOld.get("/v1/jobs/" + waiting.getLast()).at("/state")).isEqualTo("queued");

      try (NodeProcess old2 = oldNode("n3");
          NodeProcess forward = newNode("n4")) {
        List<String> more = submitted(old2.client(key), "more", "old", answerAfter(100), 4);
        ApiClient atNew = forward.client(key);
        waiting.forEach(job -> assertRanOnce(atNew, job));
        more.forEach(job -> assertRanOnce(atNew, job));
        assertThat(atNew.get("/v1/jobs?state=failed").json().at("/jobs")).isEmpty();
      }
    }
  }

  private static ApiAnswer claim(NodeProcess node) {
    return node.client(node.firstKey("operator"))
        .post("/v1/attempts/claim", "{\"kinds\":[\"new\"],\"request_id\":\"r\",\"worker\":\"w\"}");
  }
}
