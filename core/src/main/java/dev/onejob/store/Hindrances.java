package dev.onejob.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** What keeps jobs from their turn although nothing is broken. It only looks. */
public final class Hindrances {
  /** Due jobs of one lane that are looked at; a longer queue of young ones is nobody's neglect. */
  private static final int LOOKED_AT_MAX = 1_000;

  private final Sql sql;

  public Hindrances(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * A transaction of this database that is open. While it is, nothing that was deleted or replaced
   * after its begin can be cleared away, and every look reads past it.
   *
   * @param pid of its session on the server
   * @param age since its begin, by the database clock
   */
  public record OpenTransaction(
      int pid, String user, String application, String state, Duration age) {}

  /** What a session may see of others is the server's to say: as a rule, those of its own user. */
  private static final String OLDEST =
      """
      SELECT
        a.pid, coalesce(a.usename, '') AS user_name,
        coalesce(a.application_name, '') AS application, coalesce(a.state, '') AS state,
        extract(epoch FROM clock_timestamp() - a.xact_start) * 1000 AS age_ms
      FROM pg_stat_activity AS a
      WHERE a.datname = current_database()
        AND a.backend_type = 'client backend'
        AND a.pid <> pg_backend_pid()
        AND a.xact_start IS NOT NULL
        AND (a.backend_xmin IS NOT NULL OR a.backend_xid IS NOT NULL)
      ORDER BY a.xact_start
      LIMIT 1
      """;

  /** The oldest of the open transactions that can be seen and that hold something back. */
  public Optional<OpenTransaction> oldestTransaction() {
    return sql
        .alone(connection -> Sql.query(connection, OLDEST, new Params(), Hindrances::transaction))
        .stream()
        .findFirst();
  }

  private static OpenTransaction transaction(ResultSet row) throws SQLException {
    return new OpenTransaction(
        row.getInt("pid"),
        Rows.text(row, "user_name"),
        Rows.text(row, "application"),
        Rows.text(row, "state"),
        Duration.ofMillis(row.getLong("age_ms")));
  }

  /** Where due jobs wait, and have waited. */
  public record Neglected(String kind, String provider) {}

  private static final String NEGLECTED =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)
      ;
      WITH RECURSIVE lane (kind, provider) AS (
        (SELECT j.kind, coalesce(j.goes_on_at, j.route[1])
         FROM onejob.job AS j
         WHERE j.run_at IS NOT NULL
         ORDER BY j.kind, coalesce(j.goes_on_at, j.route[1])
         LIMIT 1)
        UNION ALL
        SELECT n.kind, n.provider
        FROM lane AS l
        CROSS JOIN LATERAL (
          SELECT j.kind, coalesce(j.goes_on_at, j.route[1]) AS provider
          FROM onejob.job AS j
          WHERE j.run_at IS NOT NULL
            AND (j.kind, coalesce(j.goes_on_at, j.route[1])) > (l.kind, l.provider)
          ORDER BY j.kind, coalesce(j.goes_on_at, j.route[1])
          LIMIT 1) AS n
      )
      SELECT l.kind, l.provider
      FROM lane AS l
      WHERE NOT (l.kind = ANY (:kinds::text[]) AND l.provider = ANY (:providers::text[]))
        AND EXISTS (
          SELECT
          FROM (
            SELECT j.run_at
            FROM onejob.job AS j
            WHERE j.run_at IS NOT NULL AND j.kind = l.kind
              AND coalesce(j.goes_on_at, j.route[1]) = l.provider
            LIMIT :looked_at_max) AS d
          WHERE d.run_at <= clock_timestamp() - :after_ms * interval '1 millisecond')
      """;

  /** Where jobs have been due for so long, of other kinds or at other providers than these. */
  public List<Neglected> neglected(
      Collection<String> kinds, Collection<String> providers, Duration after) {
    Params params =
        new Params()
            .column("kinds", "text", List.copyOf(kinds), kind -> kind)
            .column("providers", "text", List.copyOf(providers), provider -> provider)
            .set("after_ms", after.toMillis())
            .set("looked_at_max", LOOKED_AT_MAX);
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                NEGLECTED,
                params,
                row -> new Neglected(Rows.text(row, "kind"), Rows.text(row, "provider"))));
  }
}
