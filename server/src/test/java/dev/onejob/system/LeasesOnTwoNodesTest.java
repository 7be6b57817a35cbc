package dev.onejob.system;

import static dev.onejob.system.LeaseConfig.answerAfter;
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
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Cases C01, C03, C05 and C06: nodes that freeze, are slow, die, and sweep at a bad moment. */
@Tag("process")
class LeasesOnTwoNodesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  private TwoNodes nodes() {
    return new TwoNodes(postgres.url(), folder, LeaseConfig.arguments(folder, "1s"));
  }

  private record Begun(String key, String id) {}

  /** A job whose attempt is at work on the first node; the second may have been quicker. */
  private static Begun begunOnFirst(TwoNodes nodes, String name, int answerAfterMillis) {
    for (int i = 0; i < 10; i++) {
      String key = name + "-" + i;
      String id = created(nodes.client1.submit(key, "slow", answerAfter(answerAfterMillis)));
      await().atMost(PATIENCE).until(() -> requests(nodes.client2, id) == 1);
      if (nodes.client2.get("/v1/jobs/" + id).at("/attempts/0/node").equals("n1")) {
        return new Begun(key, id);
      }
    }
    throw new AssertionError("the first node never was the quicker one");
  }

  @Test
  void c01_the_report_of_a_frozen_node_is_refused_under_its_token_and_then_taken_as_late_proof() {
    try (TwoNodes nodes = nodes()) {
      String id = begunOnFirst(nodes, "k", 14_000).id();
      nodes.first.freeze();
      ApiAnswer doubt = awaitJob(nodes.client2, id, "/state", "unknown");
      ApiAnswer button = nodes.client2.post("/v1/jobs/" + id + "/attempts", "");
      nodes.first.thaw();
      ApiAnswer ended = awaitJob(nodes.client2, id, "/state", "succeeded");

      assertThat(doubt.at("/attempts/0/failure/code")).isEqualTo("lease-lapsed");
      assertThat(button.code()).isEqualTo("attempt-blocked");
      assertThat(nodes.first.output())
          .contains(ended.at("/attempts/0/id") + " has lost its lease")
          .containsAnyOf("its renewal under the token was refused", "it was not renewed for");
      assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
      assertThat(ended.at("/attempts/0/state")).isEqualTo("succeeded");
      assertThat(ended.at("/attempts/0/evidence/0/source")).isEqualTo("late_answer");
      assertThat(ended.at("/attempts/0/evidence/0/strength")).isEqualTo("proof");
      assertThat(effects(nodes.client2, id)).isEqualTo(1);
      assertThat(requests(nodes.client2, id)).isEqualTo(1);
    }
  }

  @Test
  void c03_an_attempt_with_live_heartbeats_is_never_swept_whatever_its_age() {
    try (TwoNodes nodes = nodes()) {
      String id = created(nodes.client1.submit("k", "slow", answerAfter(12_000)));

      ApiAnswer ended = awaitJob(nodes.client2, id, "/state", "succeeded");

      assertThat(ended.json().at("/attempts").size()).isEqualTo(1);
      assertThat(ended.json().at("/attempts/0/evidence").size()).isZero();
      assertThat(nodes.first.output()).doesNotContain("lost its lease");
      assertThat(effects(nodes.client2, id)).isEqualTo(1);
    }
  }

  @Test
  void c05_after_a_node_was_killed_none_of_its_jobs_stays_running() {
    try (TwoNodes nodes = nodes()) {
      List<Begun> jobs = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        jobs.add(begunOnFirst(nodes, "k" + i, 60_000));
      }
      nodes.first.kill();

      jobs.forEach(job -> awaitJob(nodes.client2, job.id(), "/state", "unknown"));

      assertThat(listed(nodes, "unknown")).isEqualTo(20);
      jobs.forEach(
          job -> {
            ApiAnswer again = nodes.client2.submit(job.key(), "slow", answerAfter(60_000));
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.at("/id")).isEqualTo(job.id());
            assertThat(requests(nodes.client2, job.id())).isEqualTo(1);
          });
    }
  }

  private static int listed(TwoNodes nodes, String state) {
    return nodes.client2.get("/v1/jobs?limit=50&state=" + state).json().at("/jobs").size();
  }

  @Test
  void c06_a_sweep_between_its_read_and_its_write_changes_nothing_of_a_job_that_ended_meanwhile()
      throws Exception {
    try (TwoNodes nodes = nodes()) {
      String id = created(nodes.client1.submit("k", "slow", answerAfter(60_000)));
      ApiAnswer started = awaitJob(nodes.client1, id, "/attempts/0/state", "starting");
      String attempt = started.at("/attempts/0/id");
      heldBetweenReadAndWrite(
          id,
          """
          UPDATE onejob.job SET
            state = 'succeeded', version = version + 1, live = 0, starting = 0,
            completed_by = (SELECT id FROM onejob.attempt WHERE job_id = job.id),
            result_format = 'json', result = '1', ended_at = clock_timestamp()
          WHERE key = 'k'
          """,
          """
          UPDATE onejob.attempt SET
            state = 'succeeded', ending = 'report', ended_at = clock_timestamp(),
            lease_token = NULL, lease_until = NULL
          """);
      awaitASweep(nodes);

      ApiAnswer job = nodes.client2.get("/v1/jobs/" + id);
      assertThat(job.at("/state")).isEqualTo("succeeded");
      assertThat(job.json().at("/result").asInt()).isEqualTo(1);
      assertThat(job.at("/attempts/0/id")).isEqualTo(attempt);
      assertThat(job.at("/attempts/0/state")).isEqualTo("succeeded");
    }
  }

  @Test
  void c06_a_sweep_between_its_read_and_its_write_does_not_touch_the_attempt_that_came_after()
      throws Exception {
    try (TwoNodes nodes = nodes()) {
      String id = created(nodes.client1.submit("k", "slow", answerAfter(60_000)));
      awaitJob(nodes.client1, id, "/attempts/0/state", "starting");
      heldBetweenReadAndWrite(
          id,
          """
          UPDATE onejob.attempt SET
            state = 'failed', ending = 'report', ended_at = clock_timestamp(),
            failure_code = 'busy', failure_message = 'come back later',
            lease_token = NULL, lease_until = NULL
          """,
          """
          UPDATE onejob.job SET version = version + 1, attempts_started = 2 WHERE key = 'k'
          """,
          """
          INSERT INTO onejob.attempt (
            id, job_id, owner, number, provider, cause, provider_key, state, job_version, node,
            lease_token, lease_until)
          SELECT gen_random_uuid(), id, owner, 2, 'sandbox-a', 'dispatch', 'other', 'starting',
            version, 'other', gen_random_uuid(), clock_timestamp() + interval '1 hour'
          FROM onejob.job WHERE key = 'k'
          """);
      awaitASweep(nodes);

      ApiAnswer job = nodes.client2.get("/v1/jobs/" + id);
      assertThat(job.at("/state")).isEqualTo("running");
      assertThat(job.at("/attempts/0/state")).isEqualTo("failed");
      assertThat(job.at("/attempts/1/state")).isEqualTo("starting");
    }
  }

  /**
   * The sweepers have found the lapsed lease of the only attempt, and wait for the lock of its job;
   * meanwhile its holder writes.
   */
  private void heldBetweenReadAndWrite(String id, String... meanwhile) throws Exception {
    assertThat(id).startsWith("job_");
    try (Connection holder = postgres.dataSource().getConnection();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.execute("SELECT 1 FROM onejob.job WHERE key = 'k' FOR NO KEY UPDATE");
      lapse("k");
      await().atMost(PATIENCE).until(this::someoneWaits);
      for (String sql : meanwhile) {
        statement.execute(sql);
      }
      holder.commit();
    }
  }

  private void lapse(String key) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                UPDATE onejob.attempt SET
                  lease_until = clock_timestamp() - interval '1 s', lease_token = gen_random_uuid()
                WHERE job_id = (SELECT id FROM onejob.job WHERE key = ?)
                """)) {
      statement.setString(1, key);
      statement.executeUpdate();
    }
  }

  private boolean someoneWaits() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)) {
      rows.next();
      return rows.getInt(1) > 0;
    }
  }

  /** Another lease that lapses is swept: whatever was found before it is done with. */
  private void awaitASweep(TwoNodes nodes) throws SQLException {
    String other = created(nodes.client1.submit("other", "slow", answerAfter(60_000)));
    awaitJob(nodes.client1, other, "/attempts/0/state", "starting");
    lapse("other");
    awaitJob(nodes.client2, other, "/state", "unknown");
  }
}
