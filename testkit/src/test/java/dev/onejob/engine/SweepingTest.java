package dev.onejob.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobEvent;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Limits;
import dev.onejob.domain.StartCause;
import dev.onejob.store.MoveRequest;
import dev.onejob.store.ShortWay;
import dev.onejob.store.Write;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sweep that finds more than it can move. */
class SweepingTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  private EngineFixture fixture;
  private JobId last;

  @BeforeEach
  void leaveMoreThanOneLookShows() {
    fixture = new EngineFixture(postgres.dataSource());
    JobEngine door = fixture.node();
    door.close(); // it admits, and starts nothing
    start(
        IntStream.range(0, Limits.BATCH_MAX)
            .mapToObj(i -> EngineFixture.submit(door, "first-" + i, "plain"))
            .toList());
    last = EngineFixture.submit(door, "last", "plain");
    start(List.of(last));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** By a node that is gone: their leases have lapsed. */
  private void start(List<JobId> jobs) {
    List<Write> starts = jobs.stream().<Write>map(job -> new Write.Start(start(job))).toList();
    assertThat(new ShortWay(postgres.dataSource()).write(starts))
        .hasOnlyElementsOfType(Write.Moved.class);
  }

  private static MoveRequest start(JobId job) {
    AttemptId attempt = AttemptId.next(1_000, ThreadLocalRandom.current());
    return new MoveRequest(
        job,
        new JobEvent.Start(attempt, "a", StartCause.DISPATCH),
        new MoveRequest.Departure("gone", UUID.randomUUID(), 0));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void jobs_that_somebody_holds_for_ever_keep_no_other_from_being_swept() throws Exception {
    try (Connection holder = postgres.dataSource().getConnection()) {
      holder.setAutoCommit(false);
      execute(holder, "SELECT 1 FROM onejob.job WHERE key LIKE 'first-%' FOR NO KEY UPDATE");

      fixture.node();

      Job swept = fixture.awaitState(last, JobState.UNKNOWN);
      assertThat(swept.attempts().getFirst().failure().code()).isEqualTo("lease-lapsed");
      holder.rollback();
    }
  }

  @Test
  void jobs_that_cannot_be_written_keep_no_other_from_being_swept() throws Exception {
    try (Connection owner = postgres.dataSource().getConnection()) {
      execute(
          owner,
          """
          ALTER TABLE onejob.job ADD CONSTRAINT poison
          CHECK (NOT (state = 'unknown' AND key LIKE 'first-%'))
          """);

      fixture.node();

      fixture.awaitState(last, JobState.UNKNOWN);
      execute(owner, "ALTER TABLE onejob.job DROP CONSTRAINT poison");
    }
  }
}
