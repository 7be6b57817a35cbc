package dev.onejob.soak;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.soak.Tables.AttemptRow;
import dev.onejob.soak.Tables.CallRow;
import dev.onejob.soak.Tables.Counts;
import dev.onejob.soak.Tables.DecisionRow;
import dev.onejob.soak.Tables.JobRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Reads both databases whole, for the checker. */
final class Dump {
  private static final JsonMapper MAPPER = new JsonMapper();

  /** Rows that are in memory twice at once: a long soak has hundreds of thousands. */
  private static final int PORTION = 5_000;

  private static final String NOW = "SELECT clock_timestamp() AS now";

  private static final String JOBS =
      """
      SELECT id, owner, key, kind, effect, state, waiting_for, contested, completed_by, live,
             starting, in_doubt, run_at IS NOT NULL AS due, result
      FROM onejob.job
      """;

  private static final String ATTEMPTS =
      "SELECT id, job_id, number, state, lease_until FROM onejob.attempt";

  private static final String DECISIONS =
      "SELECT job_id, attempt_id, verdict, decided_at FROM onejob.resolution";

  private static final String CALLS =
      "SELECT job, attempt, acted_at FROM onejob_server.sandbox_call";

  /** How many jobs have something going on by themselves: due, or under way. */
  private static final String UNDER_WAY =
      "SELECT count(*) AS jobs FROM onejob.job WHERE state IN ('running', 'unknown')"
          + " OR run_at IS NOT NULL";

  private Dump() {}

  private interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * The ledger first: whatever it tells of has been started before, and is excused, if it is, by a
   * decision that the tables have by then.
   */
  static Tables take(Ground ground) throws SQLException {
    List<CallRow> calls;
    try (Connection ledger = ground.openLedger()) {
      ledger.setAutoCommit(false); // what else is not read in portions
      calls = rows(ledger, CALLS, Dump::call);
      ledger.rollback();
    }
    try (Connection database = ground.openDatabase()) {
      database.setAutoCommit(false); // one snapshot of all tables
      database.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      return new Tables(
          rows(database, NOW, row -> required(time(row, "now"))).getFirst(),
          rows(database, JOBS, Dump::job),
          rows(database, ATTEMPTS, Dump::attempt),
          rows(database, DECISIONS, Dump::decision),
          calls);
    }
  }

  static long underWay(Ground ground) throws SQLException {
    try (Connection database = ground.openDatabase()) {
      return rows(database, UNDER_WAY, row -> row.getLong("jobs")).getFirst();
    }
  }

  private static <T> List<T> rows(Connection connection, String sql, Row<T> mapper)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(PORTION);
      List<T> read = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          read.add(mapper.read(rows));
        }
      }
      return read;
    }
  }

  private static JobRow job(ResultSet row) throws SQLException {
    byte[] result = row.getBytes("result");
    return new JobRow(
        new JobId(uuid(row, "id")).toString(),
        row.getString("owner"),
        row.getString("key"),
        row.getString("kind"),
        row.getString("effect"),
        row.getString("state"),
        row.getString("waiting_for"),
        row.getBoolean("contested"),
        attemptId(row, "completed_by"),
        new Counts(row.getInt("live"), row.getInt("starting"), row.getInt("in_doubt")),
        row.getBoolean("due"),
        result == null ? null : Recorder.digest(MAPPER.readTree(result)));
  }

  private static AttemptRow attempt(ResultSet row) throws SQLException {
    return new AttemptRow(
        new AttemptId(uuid(row, "id")).toString(),
        new JobId(uuid(row, "job_id")).toString(),
        row.getInt("number"),
        row.getString("state"),
        time(row, "lease_until"));
  }

  private static DecisionRow decision(ResultSet row) throws SQLException {
    return new DecisionRow(
        new JobId(uuid(row, "job_id")).toString(),
        attemptId(row, "attempt_id"),
        row.getString("verdict"),
        required(time(row, "decided_at")));
  }

  private static CallRow call(ResultSet row) throws SQLException {
    return new CallRow(row.getString("job"), row.getString("attempt"), time(row, "acted_at"));
  }

  private static UUID uuid(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  static @Nullable String attemptId(ResultSet row, String column) throws SQLException {
    UUID id = uuid(row, column);
    return id == null ? null : new AttemptId(id).toString();
  }

  private static @Nullable Instant time(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  private static Instant required(@Nullable Instant time) {
    if (time == null) {
      throw new IllegalStateException("a time is missing that is never null");
    }
    return time;
  }
}
