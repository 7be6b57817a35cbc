package dev.onejob.store;

import dev.onejob.domain.Backlog;
import dev.onejob.domain.Limits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * Counts what waits. Its texts read partial indexes that hold nothing else, and never a whole
 * table.
 */
public final class Backlogs {
  private final Hindrances hindrances;
  private final Sql sql;

  public Backlogs(DataSource database) {
    this.hindrances = new Hindrances(database);
    this.sql = new Sql(database);
  }

  private static final String IN_DOUBT =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)
      ;
      SELECT
        j.kind, a.provider, count(*) AS attempts,
        greatest(0, extract(epoch FROM clock_timestamp() - min(a.unknown_at)) * 1000)::bigint
          AS oldest_ms
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.state = 'unknown' AND j.completed_by IS NULL
      GROUP BY j.kind, a.provider
      """;

  private static final String DUE =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)
      ;
      SELECT
        k.kind, d.jobs,
        greatest(0, extract(epoch FROM clock_timestamp() - d.since) * 1000)::bigint AS oldest_ms
      FROM unnest(:kinds::text[]) AS k (kind)
      CROSS JOIN LATERAL (
        SELECT count(*) AS jobs, min(c.run_at) AS since
        FROM (
          SELECT j.run_at
          FROM onejob.job AS j
          WHERE j.run_at IS NOT NULL AND j.run_at <= statement_timestamp() AND j.kind = k.kind
          LIMIT :counted_max) AS c) AS d
      WHERE d.jobs > 0
      """;

  /** What waits at the moment: all that is in doubt, and what is due of these kinds. */
  public Backlog now(List<String> kinds) {
    Params due =
        new Params()
            .column("kinds", "text", kinds, kind -> kind)
            .set("counted_max", Limits.DUE_COUNTED_MAX);
    Duration oldestTransaction =
        hindrances.oldestTransaction().map(Hindrances.OpenTransaction::age).orElse(Duration.ZERO);
    return sql.alone(
        connection ->
            new Backlog(
                Sql.query(connection, IN_DOUBT, new Params(), Backlogs::inDoubt),
                Sql.query(connection, DUE, due, Backlogs::due),
                oldestTransaction));
  }

  private static Backlog.InDoubt inDoubt(ResultSet row) throws SQLException {
    return new Backlog.InDoubt(
        Rows.text(row, "kind"),
        Rows.text(row, "provider"),
        row.getLong("attempts"),
        Duration.ofMillis(row.getLong("oldest_ms")));
  }

  private static Backlog.Due due(ResultSet row) throws SQLException {
    return new Backlog.Due(
        Rows.text(row, "kind"), row.getLong("jobs"), Duration.ofMillis(row.getLong("oldest_ms")));
  }
}
