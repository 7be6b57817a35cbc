package dev.onejob.server.ui.overview;

import dev.onejob.domain.Owner;
import dev.onejob.server.ui.overview.Overview.Count;
import dev.onejob.server.ui.overview.Overview.Counts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads what is not over, by partial indexes that hold nothing else, up to a bound. */
final class OverviewReader {
  private final DataSource database;

  OverviewReader(DataSource database) {
    this.database = database;
  }

  /** Each job is looked up: without its LIMIT a join reads all jobs there are. */
  private static final String DOUBT =
      """
      SELECT count(*) AS looked_at,
             count(*) FILTER (WHERE c.counts) AS counted,
             min(c.unknown_at) FILTER (WHERE c.counts) AS oldest
        FROM (
          SELECT u.unknown_at,
                 j.completed_by IS NULL AND (?::text IS NULL OR u.owner = ?) AS counts
            FROM (
              SELECT a.job_id, a.owner, a.unknown_at FROM onejob.attempt AS a
               WHERE a.state = 'unknown' ORDER BY a.unknown_at LIMIT ?) AS u
           CROSS JOIN LATERAL (
             SELECT k.completed_by FROM onejob.job AS k WHERE k.id = u.job_id LIMIT 1) AS j) AS c
      """;

  /** How much is in doubt; of one owner, or of all where it is null. */
  Doubt doubt(@Nullable Owner owner) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(DOUBT)) {
      String name = owner == null ? null : owner.value();
      select.setString(1, name);
      select.setString(2, name);
      select.setInt(3, Count.MAX + 1);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        OffsetDateTime oldest = rows.getObject("oldest", OffsetDateTime.class);
        return new Doubt(
            Count.of(rows.getLong("looked_at"), rows.getLong("counted")),
            oldest == null ? null : oldest.toInstant());
      }
    }
  }

  private static final String COUNTS =
      """
      SELECT 'live' AS what, count(*) AS looked_at,
             count(*) FILTER (WHERE ?::text IS NULL OR c.owner = ?) AS counted
        FROM (SELECT a.owner FROM onejob.attempt AS a
               WHERE a.state IN ('starting', 'running') LIMIT ?) AS c
      UNION ALL
      SELECT 'due', count(*), count(*) FILTER (WHERE ?::text IS NULL OR c.owner = ?)
        FROM (SELECT j.owner FROM onejob.job AS j WHERE j.run_at IS NOT NULL LIMIT ?) AS c
      UNION ALL
      SELECT 'unproved', count(*), count(*) FILTER (WHERE ?::text IS NULL OR c.owner = ?)
        FROM (SELECT j.owner FROM onejob.job AS j
               WHERE j.waiting_for = 'qualification' LIMIT ?) AS c
      UNION ALL
      SELECT 'waiting', count(*), count(*) FILTER (WHERE ?::text IS NULL OR c.owner = ?)
        FROM (SELECT j.owner FROM onejob.job AS j
               WHERE j.contested OR j.waiting_for = 'decision' LIMIT ?) AS c
      """;

  private static final int PARTS = 4;

  /**
   * How much is live, queued and waiting; of one owner, or of all where it is null. However much
   * there is of others, no more than the bound is looked at.
   */
  Counts counts(@Nullable Owner owner) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(COUNTS)) {
      String name = owner == null ? null : owner.value();
      int at = 1;
      for (int i = 0; i < PARTS; i++) {
        select.setString(at++, name);
        select.setString(at++, name);
        select.setInt(at++, Count.MAX + 1);
      }
      Map<String, Count> counts = new HashMap<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          Count count = Count.of(rows.getLong("looked_at"), rows.getLong("counted"));
          counts.put(rows.getString("what"), count);
        }
      }
      return new Counts(
          part(counts, "live"),
          part(counts, "due").plus(part(counts, "unproved")),
          part(counts, "waiting"));
    }
  }

  private static Count part(Map<String, Count> counts, String what) {
    return Objects.requireNonNull(counts.get(what), what);
  }
}
