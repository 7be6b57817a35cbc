package dev.onejob.bench;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.DeliveryId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.WebhookId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/** Picks from the filled database what the measured pages are about. */
final class PageTargets {
  /** Wide enough for every kind and turn that is asked for. */
  private static final long SOUGHT_AMONG = 20_000;

  private final DataSource database;
  private final FilledPast past;

  PageTargets(DataSource database, FilledPast past) {
    this.database = database;
    this.past = past;
  }

  /**
   * A job and its first attempt.
   *
   * @param reference what the provider calls the attempt, if its kind has such ids
   */
  record Target(
      JobId job, AttemptId attempt, String owner, String kind, String key, String reference) {}

  private static final String PAST =
      """
      SELECT bench.id(p.at, '8', p.n) AS job, bench.id(p.at, '9', p.n) AS attempt, p.owner, p.kind,
             bench.key(p.n) AS key, 'task-' || p.n || '-1' AS reference
        FROM bench.plan(?, ?, ?, ?) AS p
       WHERE p.kind = ? AND p.turn = ?
       ORDER BY p.n DESC
       LIMIT 1
      """;

  /**
   * One that has ended, from a depth of the past.
   *
   * @param depth 0: the oldest, 1: the newest
   * @param turn as in {@link PastJobs#PLAN}
   */
  Target past(double depth, String kind, String turn) throws SQLException {
    long last = Math.max((long) (past.jobs() * depth), Math.min(past.jobs(), SOUGHT_AMONG));
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(PAST)) {
      select.setLong(1, Math.max(1, last - SOUGHT_AMONG));
      select.setLong(2, last);
      select.setLong(3, past.startMillis());
      select.setDouble(4, past.stepMillis());
      select.setString(5, kind);
      select.setString(6, turn);
      return target(select);
    }
  }

  private static final String WAITING =
      """
      SELECT j.id AS job, a.id AS attempt, j.owner, j.kind, j.key, '' AS reference
        FROM bench.waiting() AS w
        JOIN onejob.job AS j ON j.id = bench.id(w.at, '8', w.n)
        JOIN onejob.attempt AS a ON a.job_id = j.id
       WHERE w.what = ? AND w.kind = ?
       ORDER BY w.n
       LIMIT 1
      """;

  /** One that waits; what for is as in {@link PastJobs#WAITING_PLAN}. */
  Target waiting(String what, String kind) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(WAITING)) {
      select.setString(1, what);
      select.setString(2, kind);
      return target(select);
    }
  }

  private static final String LARGE =
      """
      SELECT j.id AS job, j.completed_by AS attempt, j.owner, j.kind, j.key, '' AS reference
        FROM onejob.job AS j
       WHERE j.state = 'succeeded' AND j.owner LIKE 'tenant-%'
       ORDER BY j.id DESC
       LIMIT 1
      """;

  /** The one with the large result; before anything else has run. */
  Target large() throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(LARGE)) {
      return target(select);
    }
  }

  private static Target target(PreparedStatement select) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new IllegalStateException("nothing was found by " + select);
      }
      return new Target(
          new JobId(row.getObject("job", UUID.class)),
          new AttemptId(row.getObject("attempt", UUID.class)),
          row.getString("owner"),
          row.getString("kind"),
          row.getString("key"),
          row.getString("reference"));
    }
  }

  private static final String BUSIEST =
      """
      SELECT w.id FROM onejob.webhook AS w WHERE w.owner = 'tenant-0001'
      """;

  /** The webhook with most of the deliveries. */
  WebhookId webhook() throws SQLException {
    return new WebhookId(one(BUSIEST));
  }

  private static final String MIDDLE =
      """
      SELECT d.id FROM onejob.webhook_delivery AS d
        JOIN onejob.webhook AS w ON w.id = d.webhook_id
       WHERE w.owner = 'tenant-0001' AND d.state = 'failed'
       ORDER BY d.id LIMIT 1
      """;

  /** One of its oldest deliveries, which failed. */
  DeliveryId delivery() throws SQLException {
    return new DeliveryId(one(MIDDLE));
  }

  private UUID one(String text) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(text);
        ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw new IllegalStateException("nothing was found by " + text);
      }
      return row.getObject("id", UUID.class);
    }
  }
}
