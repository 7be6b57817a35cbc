package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A look reads what it looks for, and not all that will only be due later. */
class LooksAheadOfTimeTest {
  private static final int LATER = 5_000;
  private static final int FEW = 500;
  private static final DueJobs.Look LOOK =
      new DueJobs.Look(List.of("test"), List.of("primary"), List.of(), List.of(), 50);

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @BeforeEach
  void migrate() {
    Migrations.migrate(postgres.dataSource());
  }

  private static final String QUEUE =
      """
      INSERT INTO onejob.job (
        id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route, priority,
        tags, state, version, live, starting, in_doubt, attempts_started, attempts_allowed, run_at,
        deadline, expires_at, contested, when_unqualified)
      SELECT
        gen_random_uuid(), 'tester-' || n % ?, ? || '-' || n, 'test', 'exclusive', 1, sha256('x'),
        '{}', ARRAY['primary', 'fallback'], 0, '{}', 'queued', 0, 0, 0, 0, 0, 3,
        clock_timestamp() + ? * interval '1 hour', t.until, t.until, false, 'wait'
      FROM generate_series(1, ?) AS n
      CROSS JOIN (SELECT clock_timestamp() + ? * interval '1 hour' AS until) AS t
      """;

  private void queue(int owners, String name, int jobs, int dueInHours, int expiringInHours)
      throws SQLException {
    execute(QUEUE, owners, name, dueInHours, jobs, expiringInHours);
  }

  private void execute(String sql, Object... values) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  @Test
  void a_look_for_due_jobs_reads_none_that_wait_for_their_next_attempt() throws Exception {
    queue(1, "later", LATER, 1, 2);
    queue(1, "due", 3, -1, 2);
    List<DueJobs.Due> due = new ArrayList<>();

    assertThat(RowsRead.by(postgres, own -> due.addAll(new DueJobs(own).find(LOOK))))
        .isLessThan(FEW);
    assertThat(due).hasSize(3);
    assertThat(
            RowsRead.by(
                postgres, own -> new DueJobs(own).findOf(List.of(new Owner("tester-0")), LOOK)))
        .isLessThan(FEW);
  }

  @Test
  void a_look_for_due_jobs_reads_no_owners_who_have_nothing_but_jobs_for_later() throws Exception {
    queue(LATER / 2, "later", LATER, 1, 2);
    queue(3, "due", 3, -1, 2);
    List<DueJobs.Due> due = new ArrayList<>();

    assertThat(RowsRead.by(postgres, own -> due.addAll(new DueJobs(own).find(LOOK))))
        .isLessThan(FEW);
    assertThat(due).hasSize(3);
  }

  @Test
  void a_look_for_jobs_past_their_deadline_reads_none_whose_deadline_is_to_come() throws Exception {
    queue(1, "later", LATER, -1, 2);
    queue(1, "expired", 3, -1, -1);
    List<JobId> expired = new ArrayList<>();

    long read =
        RowsRead.by(
            postgres,
            own -> expired.addAll(new Sweeps(own).expired(new Sweeps.Look(List.of(), 50))));

    assertThat(read).isLessThan(FEW);
    assertThat(expired).hasSize(3);
  }

  @Test
  void a_new_derived_key_reads_none_that_are_still_in_use() throws Exception {
    execute(
        """
        INSERT INTO onejob.derived_key (owner, request, key, used_at)
        SELECT 'tester', sha256(n::text::bytea), 'key-' || n, clock_timestamp()
        FROM generate_series(1, ?) AS n
        """,
        LATER);

    long read =
        RowsRead.by(
            postgres,
            own ->
                new DerivedKeys(own)
                    .of(
                        new Owner("tester"),
                        new byte[32],
                        new IntentKey("fresh"),
                        Duration.ofHours(1)));

    assertThat(read).isLessThan(FEW);
  }
}
