package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Attempts that are watched from another node than the one that started them. */
final class Watches {
  private Watches() {}

  /**
   * Guarded by the columns of the attempt, and waits for nobody: an attempt in the hands of a move,
   * a renewal or another node is passed over. A lease that was a watcher's already is left to the
   * sweep: nobody has heard of the work for as long as that lasted.
   */
  private static final String WATCH_ON =
      """
      WITH lapsed AS (
        SELECT a.id
        FROM onejob.attempt AS a
        JOIN onejob.job AS j ON j.id = a.job_id
        WHERE a.state = 'running'
          AND a.lease_until <= clock_timestamp()
          AND a.provider_ref IS NOT NULL
          AND a.claimed_by IS NULL
          AND a.provider = :provider
          AND a.started_at > clock_timestamp() - :within_ms * interval '1 millisecond'
          AND j.kind = ANY (:kinds::text[])
          AND j.completed_by IS NULL
          AND NOT EXISTS (
            SELECT
            FROM onejob.probe AS p
            WHERE p.attempt_id = a.id AND (p.ended IS NOT NULL OR p.watch_token = a.lease_token))
        ORDER BY a.started_at
        LIMIT :limit
        FOR NO KEY UPDATE OF a SKIP LOCKED
      ),
      taken AS (
        UPDATE onejob.attempt AS a SET
          lease_token = gen_random_uuid(),
          lease_until = clock_timestamp() + :lease_ms * interval '1 millisecond'
        FROM lapsed AS l
        WHERE a.id = l.id
        RETURNING a.id, a.owner, a.started_at, a.lease_token
      )
      INSERT INTO onejob.probe AS p
        (attempt_id, owner, probe_at, probe_before, bound, watch_token)
      SELECT
        t.id, t.owner, clock_timestamp(),
        t.started_at + :within_ms * interval '1 millisecond', :bound, t.lease_token
      FROM taken AS t
      ON CONFLICT (attempt_id) DO UPDATE SET
        probe_at = excluded.probe_at,
        watch_token = excluded.watch_token
      WHERE p.ended IS NULL
      RETURNING attempt_id
      """;

  /** As {@link Probes#watchOn} says. */
  static List<AttemptId> takeOver(Connection connection, Params params) throws SQLException {
    return Sql.query(connection, WATCH_ON, params, row -> Rows.attemptId(row, "attempt_id"));
  }
}
