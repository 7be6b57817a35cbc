package dev.onejob.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Jobs that ended two hours ago, each with its attempt, written by SQL in bulk. */
public final class EndedJobs {
  private static final int FILL_STEP = 25_000;
  private static final int SESSIONS = 2;

  /** Each job with its attempt, in one statement. */
  private static final String ROWS =
      """
      WITH ended AS (
        INSERT INTO onejob.job (
          id, owner, key, kind, effect, fingerprint_version, fingerprint, input, route, priority,
          tags, created_at, state, version, completed_by, live, starting, in_doubt,
          attempts_started, attempts_allowed, contested, when_unqualified, result_format, result,
          ended_at)
        SELECT
          (n.prefix || '8000' || lpad(to_hex(n.n), 12, '0'))::uuid, 'ended', 'key-' || n.n, 'ended',
          'exclusive', 1, sha256(convert_to(n.n::text, 'UTF8')),
          convert_to('{"prompt":"' || repeat(md5(n.n::text), 8) || '"}', 'UTF8'),
          ARRAY['ended-provider'], 0, ARRAY[]::text[], n.at, 'succeeded', 1,
          (n.prefix || '9000' || lpad(to_hex(n.n), 12, '0'))::uuid, 0, 0, 0, 1, 3, false, 'wait',
          'json', convert_to('{"text":"' || repeat(md5(n.n::text), 16) || '"}', 'UTF8'), n.at
        FROM (
          SELECT
            s AS n, clock_timestamp() - interval '2 hours' AS at,
            lpad(to_hex(
              (extract(epoch FROM clock_timestamp() - interval '3 hours') * 1000)::bigint
              + s / 1000), 12, '0') || '7000' AS prefix
          FROM generate_series(?, ?) AS s) AS n
        RETURNING id, owner, key, fingerprint, completed_by, created_at, ended_at
      )
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, provider_key, started_at, state, job_version,
        node, ended_at, ending, report_outcome, report_digest, report_bytes)
      SELECT
        e.completed_by, e.id, e.owner, 1, 'ended-provider', 'dispatch', 'oj_' || md5(e.key),
        e.created_at, 'succeeded', 0, 'bench', e.ended_at, 'report', 'succeeded',
        encode(e.fingerprint, 'hex'), 500
      FROM ended AS e
      """;

  /** A reference is not looked up row by row: both rows are of one statement. */
  private static final String UNREFERENCED = "SET LOCAL session_replication_role = replica";

  /** For the whole server, while it is filled: one checkpoint where there would be a dozen. */
  private static final String ROOM_FOR_LOGS = "ALTER SYSTEM SET max_wal_size = '8GB'";

  private static final String USUAL_ROOM_FOR_LOGS = "ALTER SYSTEM RESET max_wal_size";
  private static final String RELOAD = "SELECT pg_reload_conf()";

  private EndedJobs() {}

  /** Fills the tables by two sessions, and lets PostgreSQL look at them. */
  public static void fill(DataSource database, int jobs) throws SQLException, InterruptedException {
    execute(database, ROOM_FOR_LOGS);
    execute(database, RELOAD);
    AtomicInteger next = new AtomicInteger(1);
    try (ExecutorService sessions = Executors.newFixedThreadPool(SESSIONS)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < SESSIONS; i++) {
        ends.add(
            sessions.submit(
                () -> {
                  for (int from = step(next); from <= jobs; from = step(next)) {
                    end(database, from, Math.min(jobs, from + FILL_STEP - 1));
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (ExecutionException e) {
      throw new SQLException("the tables could not be filled", e.getCause());
    } finally {
      execute(database, USUAL_ROOM_FOR_LOGS);
      execute(database, RELOAD);
    }
    execute(database, "VACUUM ANALYZE onejob.job");
    execute(database, "VACUUM ANALYZE onejob.attempt");
    execute(database, "CHECKPOINT");
    Progress.say(jobs + " jobs have ended");
  }

  private static int step(AtomicInteger next) {
    return next.getAndAdd(FILL_STEP);
  }

  private static void end(DataSource database, int from, int to) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement session = connection.createStatement();
        PreparedStatement statement = connection.prepareStatement(ROWS)) {
      connection.setAutoCommit(false);
      session.execute(UNREFERENCED);
      statement.setInt(1, from);
      statement.setInt(2, to);
      statement.executeUpdate();
      connection.commit();
    }
  }

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
