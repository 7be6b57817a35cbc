package dev.onejob.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Deliveries that nobody sends any more, and those that ended long ago. */
final class LeftDeliveries {
  private LeftDeliveries() {}

  private static final String GIVE_UP =
      """
      WITH RECURSIVE waiting (webhook_id) AS (
        (SELECT d.webhook_id
         FROM onejob.webhook_delivery AS d
         WHERE d.next_at IS NOT NULL
         ORDER BY d.webhook_id
         LIMIT 1)
        UNION ALL
        SELECT (
          SELECT d.webhook_id
          FROM onejob.webhook_delivery AS d
          WHERE d.next_at IS NOT NULL AND d.webhook_id > w.webhook_id
          ORDER BY d.webhook_id
          LIMIT 1)
        FROM waiting AS w
        WHERE w.webhook_id IS NOT NULL
      ),
      left_over AS (
        SELECT d.id
        FROM waiting
        LEFT JOIN onejob.webhook AS w ON w.id = waiting.webhook_id
        CROSS JOIN LATERAL (
          SELECT e.id
          FROM onejob.webhook_delivery AS e
          WHERE e.webhook_id = waiting.webhook_id
            AND e.next_at IS NOT NULL
            AND (w.id IS NULL
              OR w.disabled_at IS NOT NULL
              OR (e.next_at <= now()
                AND e.round_since <= now() - :round_ms * interval '1 millisecond'))
          ORDER BY e.next_at
          LIMIT :limit
          FOR NO KEY UPDATE SKIP LOCKED) AS d
        LIMIT :limit
      )
      UPDATE onejob.webhook_delivery AS d SET
        state = 'failed', next_at = NULL, ended_at = clock_timestamp()
      FROM left_over AS l
      WHERE d.id = l.id
      RETURNING d.id
      """;

  /** As {@link Deliveries#giveUp} says. */
  static List<UUID> giveUp(Connection connection, Params params) throws SQLException {
    return Sql.query(connection, GIVE_UP, params, row -> Rows.uuid(row, "id"));
  }

  private static final String FORGET =
      """
      DELETE FROM onejob.webhook_delivery
      WHERE id IN (
        SELECT d.id
        FROM onejob.webhook_delivery AS d
        WHERE d.ended_at <= now() - :kept_ms * interval '1 millisecond'
        ORDER BY d.ended_at
        LIMIT :limit
        FOR UPDATE SKIP LOCKED)
      RETURNING id
      """;

  /** As {@link Deliveries#forget} says. */
  static List<UUID> forget(Connection connection, Params params) throws SQLException {
    return Sql.query(connection, FORGET, params, row -> Rows.uuid(row, "id"));
  }
}
