package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static dev.onejob.system.TwoNodes.effects;
import static dev.onejob.system.TwoNodes.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiAnswer;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Case C13, and the last column of the table in ARCHITECTURE.md. */
@Tag("process")
class NodeKilledTest {
  private static final String INSERT = "INSERT INTO onejob.job";
  private static final String SWAP = "swapped AS";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private int rows(String key) throws Exception {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("SELECT count(*) FROM onejob.job WHERE key = ?")) {
      statement.setString(1, key);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  @Test
  void between_the_commit_of_a_submit_and_its_answer_leaves_the_job_under_its_key()
      throws Exception {
    try (DatabaseProxy proxy = new DatabaseProxy(postgres.url());
        TwoNodes nodes =
            new TwoNodes(
                proxy.url(), postgres.url(), folder, LeaseConfig.arguments(folder, "1s"))) {
      proxy.hold(DatabaseProxy.Hold.ANSWER, INSERT);
      CompletableFuture<ApiAnswer> unanswered =
          CompletableFuture.supplyAsync(() -> nodes.client1.submit("k", "slow", "{}"));
      proxy.awaitHeld();
      await().atMost(Duration.ofSeconds(60)).until(() -> rows("k") == 1);
      nodes.first.kill();

      ApiAnswer again = nodes.client2.submit("k", "slow", "{}");

      assertThat(unanswered).failsWithin(Duration.ofSeconds(60));
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.header("Idempotency-Replayed")).contains("true");
      awaitJob(nodes.client2, again.at("/id"), "/state", "succeeded");
      assertThat(effects(nodes.client2, again.at("/id"))).isEqualTo(1);
    }
  }

  @Test
  void there_it_leaves_doubt_about_a_job_that_goes_on_from_it_and_the_rule_tries_again()
      throws Exception {
    try (DatabaseProxy proxy = new DatabaseProxy(postgres.url());
        TwoNodes nodes =
            new TwoNodes(
                proxy.url(), postgres.url(), folder, LeaseConfig.arguments(folder, "1s"))) {
      proxy.hold(DatabaseProxy.Hold.ANSWER, INSERT);
      CompletableFuture<ApiAnswer> unanswered =
          CompletableFuture.supplyAsync(() -> nodes.client1.submit("k", "going-on", "{}"));
      proxy.awaitHeld();
      await().atMost(Duration.ofSeconds(60)).until(() -> rows("k") == 1);
      nodes.first.kill();

      ApiAnswer again = nodes.client2.submit("k", "going-on", "{}");

      assertThat(unanswered).failsWithin(Duration.ofSeconds(60));
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.at("/attempts/0/node")).isEqualTo("n1");
      ApiAnswer ended = awaitJob(nodes.client2, again.at("/id"), "/state", "succeeded");
      assertThat(ended.json().at("/attempts").size()).isEqualTo(2);
      String doubt = "/attempts/0/resolutions/0";
      assertThat(ended.at(doubt + "/basis/failure/code")).isEqualTo("lease-lapsed");
      assertThat(ended.at(doubt + "/decided_by")).isEqualTo("rule:going-on");
      assertThat(ended.at("/attempts/1/state")).isEqualTo("succeeded");
      assertThat(requests(nodes.client2, again.at("/id"))).isEqualTo(1);
      assertThat(effects(nodes.client2, again.at("/id"))).isEqualTo(1);
    }
  }

  @Test
  void just_before_the_commit_of_a_submit_leaves_nothing_and_the_next_try_makes_the_job()
      throws Exception {
    try (DatabaseProxy proxy = new DatabaseProxy(postgres.url());
        TwoNodes nodes =
            new TwoNodes(
                proxy.url(), postgres.url(), folder, LeaseConfig.arguments(folder, "1s"))) {
      proxy.hold(DatabaseProxy.Hold.REQUEST, INSERT);
      CompletableFuture<ApiAnswer> unanswered =
          CompletableFuture.supplyAsync(() -> nodes.client1.submit("k", "slow", "{}"));
      proxy.awaitHeld();
      nodes.first.kill();

      String id = created(nodes.client2.submit("k", "slow", "{}"));

      assertThat(unanswered).failsWithin(Duration.ofSeconds(60));
      awaitJob(nodes.client2, id, "/state", "succeeded");
      assertThat(effects(nodes.client2, id)).isEqualTo(1);
    }
  }

  @Test
  void while_the_provider_works_leaves_doubt_and_nothing_runs_twice() {
    try (TwoNodes nodes =
        new TwoNodes(postgres.url(), folder, LeaseConfig.arguments(folder, "1s"))) {
      String input = "{\"script\":{\"sandbox-a\":{\"answer_after_ms\":4000}}}";
      String id = created(nodes.client1.submit("k", "slow", input));
      await().atMost(Duration.ofSeconds(60)).until(() -> requests(nodes.client2, id) == 1);
      nodes.first.kill();

      ApiAnswer doubt = awaitJob(nodes.client2, id, "/state", "unknown");

      assertThat(doubt.at("/attempts/0/failure/code")).isEqualTo("lease-lapsed");
      assertThat(nodes.client2.submit("k", "slow", input).at("/id")).isEqualTo(id);
      assertThat(nodes.client2.post("/v1/jobs/" + id + "/attempts", "").code())
          .isEqualTo("attempt-blocked");
      assertThat(requests(nodes.client2, id)).isEqualTo(1);
    }
  }

  @Test
  void between_the_provider_s_answer_and_the_settle_leaves_doubt_and_nothing_runs_twice()
      throws Exception {
    try (DatabaseProxy proxy = new DatabaseProxy(postgres.url());
        TwoNodes nodes =
            new TwoNodes(
                proxy.url(), postgres.url(), folder, LeaseConfig.arguments(folder, "1s"))) {
      proxy.hold(DatabaseProxy.Hold.REQUEST, SWAP);
      String id = created(nodes.client1.submit("k", "slow", "{}"));
      proxy.awaitHeld();
      nodes.first.kill();

      awaitJob(nodes.client2, id, "/state", "unknown");

      assertThat(effects(nodes.client2, id)).isEqualTo(1);
      assertThat(requests(nodes.client2, id)).isEqualTo(1);
    }
  }

  @Test
  void between_the_commit_of_a_settle_and_its_answer_leaves_the_job_succeeded() throws Exception {
    try (DatabaseProxy proxy = new DatabaseProxy(postgres.url());
        TwoNodes nodes =
            new TwoNodes(
                proxy.url(), postgres.url(), folder, LeaseConfig.arguments(folder, "1s"))) {
      proxy.hold(DatabaseProxy.Hold.ANSWER, SWAP);
      String id = created(nodes.client1.submit("k", "slow", "{}"));
      proxy.awaitHeld();
      awaitJob(nodes.client2, id, "/state", "succeeded");
      nodes.first.kill();

      assertThat(nodes.client2.submit("k", "slow", "{}").at("/state")).isEqualTo("succeeded");
      assertThat(effects(nodes.client2, id)).isEqualTo(1);
    }
  }
}
