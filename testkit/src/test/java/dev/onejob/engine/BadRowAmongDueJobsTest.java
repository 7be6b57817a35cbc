package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.testkit.Engines;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.ScriptedProvider;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job whose start the database refuses, at the head of all that wait. */
class BadRowAmongDueJobsTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;

  @BeforeEach
  void open() {
    fixture = new EngineFixture(postgres.dataSource());
    fixture.a.always(ScriptedProvider.succeeded("1"));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** As a repair by hand may leave it: the number of its next attempt is there already. */
  private void spoil(JobId job) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                INSERT INTO onejob.attempt (
                  id, job_id, owner, number, provider, cause, provider_key, state, job_version,
                  node, ended_at, ending)
                VALUES (?, ?, 'tester', 1, 'a', 'dispatch', 'oj_by_hand', 'failed', 0, 'nobody',
                  now(), 'decision')
                """)) {
      insert.setObject(1, UUID.randomUUID());
      insert.setObject(2, job.uuid());
      assertThat(insert.executeUpdate()).isOne();
    }
  }

  @Test
  void keeps_no_other_job_from_being_started() throws Exception {
    JobEngine admitting = fixture.node(fixture.config(EngineFixture.PATIENT));
    admitting.drain();
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Admitted answer = admitting.submit(Engines.submission("k" + i, "plain", "{}"));
      jobs.add(((Admitted.Created) answer).id());
    }
    spoil(jobs.getFirst());

    JobEngine node = fixture.node(fixture.config(EngineFixture.PATIENT));

    List<JobId> sound = jobs.subList(1, jobs.size());
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(sound)
                    .allSatisfy(
                        job ->
                            assertThat(node.job(Access.ALL, job).orElseThrow().standing().state())
                                .isEqualTo(JobState.SUCCEEDED)));
    assertThat(node.job(Access.ALL, jobs.getFirst()).orElseThrow().standing().state())
        .isEqualTo(JobState.QUEUED);
  }
}
