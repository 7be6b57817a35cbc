package dev.onejob.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Jobs that ended two hours ago, each with its attempt, written by SQL in bulk. */
public final class EndedJobs {
  private static final int FILL_STEP = 50_000;

  private static final String JOB_ROWS =
      """
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
            (extract(epoch FROM clock_timestamp() - interval '3 hours') * 1000)::bigint + s / 1000),
            12, '0') || '7000' AS prefix
        FROM generate_series(?, ?) AS s) AS n
      """;

  private static final String ATTEMPT_ROWS =
      """
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, provider_key, started_at, state, job_version,
        node, ended_at, ending, report_outcome, report_digest, report_bytes)
      SELECT
        j.completed_by, j.id, j.owner, 1, 'ended-provider', 'dispatch', 'oj_' || md5(j.key),
        j.created_at, 'succeeded', 0, 'bench', j.ended_at, 'report', 'succeeded',
        encode(j.fingerprint, 'hex'), 500
      FROM onejob.job AS j
      WHERE j.owner = 'ended'
      """;

  /** Fills the tables and lets PostgreSQL look at them; takes a minute for a million or two. */
  public static void fill(DataSource database, int jobs) throws SQLException {
    for (int from = 1; from <= jobs; from += FILL_STEP) {
      end(database, from, Math.min(jobs, from + FILL_STEP - 1));
    }
    execute(database, ATTEMPT_ROWS);
    execute(database, "VACUUM ANALYZE onejob.job");
    execute(database, "VACUUM ANALYZE onejob.attempt");
    execute(database, "CHECKPOINT");
    Progress.say(jobs + " jobs have ended");
  }

  private static void end(DataSource database, int from, int to) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(JOB_ROWS)) {
      statement.setInt(1, from);
      statement.setInt(2, to);
      statement.executeUpdate();
    }
  }

  private static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private EndedJobs() {}
}
