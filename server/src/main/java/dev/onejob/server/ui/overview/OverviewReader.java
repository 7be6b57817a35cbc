package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
import dev.onejob.server.ui.overview.Overview.Counts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads what is not over, by partial indexes that hold nothing else, up to a bound. */
final class OverviewReader {
  private final DataSource database;

  OverviewReader(DataSource database) {
    this.database = database;
  }

  private static final String DOUBT =
      """
      SELECT count(*) AS attempts, min(c.unknown_at) AS oldest
        FROM (
          SELECT a.unknown_at
            FROM onejob.attempt AS a
            JOIN onejob.job AS j ON j.id = a.job_id
           WHERE a.state = 'unknown'
             AND j.completed_by IS NULL
             AND (?::text IS NULL OR a.owner = ?)
           ORDER BY a.unknown_at
           LIMIT ?) AS c
      """;

  /** How much is in doubt; of one owner, or of all where it is null. */
  Doubt doubt(@Nullable Owner owner) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(DOUBT)) {
      int at = twice(select, 1, owner);
      select.setInt(at, Counts.MAX + 1);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        OffsetDateTime oldest = rows.getObject("oldest", OffsetDateTime.class);
        return new Doubt(rows.getLong("attempts"), oldest == null ? null : oldest.toInstant());
      }
    }
  }

  private static final String COUNTS =
      """
      SELECT
        (SELECT count(*) FROM (
           SELECT FROM onejob.attempt AS a
            WHERE a.state IN ('starting', 'running') AND (?::text IS NULL OR a.owner = ?)
            LIMIT ?) AS c) AS live,
        (SELECT count(*) FROM (
           SELECT FROM onejob.job AS j
            WHERE j.run_at IS NOT NULL AND (?::text IS NULL OR j.owner = ?)
            LIMIT ?) AS c) AS due,
        (SELECT count(*) FROM (
           SELECT FROM onejob.job AS j
            WHERE j.waiting_for = 'qualification' AND (?::text IS NULL OR j.owner = ?)
            LIMIT ?) AS c) AS unproved,
        (SELECT count(*) FROM (
           SELECT FROM onejob.job AS j
            WHERE (j.contested OR j.waiting_for = 'decision') AND (?::text IS NULL OR j.owner = ?)
            LIMIT ?) AS c) AS waiting
      """;

  private static final int PARTS = 4;

  /** How much is live, queued and waiting; of one owner, or of all where it is null. */
  Counts counts(@Nullable Owner owner) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(COUNTS)) {
      int at = 1;
      for (int i = 0; i < PARTS; i++) {
        at = twice(select, at, owner);
        select.setInt(at++, Counts.MAX + 1);
      }
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return new Counts(
            rows.getLong("live"),
            rows.getLong("due") + rows.getLong("unproved"),
            rows.getLong("waiting"));
      }
    }
  }

  private static int twice(PreparedStatement select, int at, @Nullable Owner owner)
      throws SQLException {
    String name = owner == null ? null : owner.value();
    select.setString(at, name);
    select.setString(at + 1, name);
    return at + 2;
  }
}
