package dev.onejob.server.ui.qualifications;

import dev.onejob.domain.Qualification;
import dev.onejob.domain.QualificationRun;
import dev.onejob.domain.RunId;
import dev.onejob.server.ui.qualifications.Cell.LastRun;
import dev.onejob.server.ui.qualifications.Cell.Pass;
import dev.onejob.server.ui.qualifications.Cell.Worth;
import dev.onejob.store.QualificationRuns;
import dev.onejob.store.Qualifications;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads passes and runs through the small pool of pages; two statements for a whole table. */
final class QualificationReader {
  private static final int LISTED_MAX = 20;

  private final DataSource database;
  private final QualificationRuns runs;
  private final Qualifications passes;

  QualificationReader(DataSource database) {
    this.database = database;
    this.runs = new QualificationRuns(database);
    this.passes = new Qualifications(database);
  }

  /** One provider for one kind. */
  record Pair(String kind, String provider) {}

  /**
   * What a pass is compared with.
   *
   * @param binding the digest that holds here now; empty: none can
   */
  record Wanted(Pair pair, String binding) {}

  private static final String NEWEST_RUNS =
      """
      SELECT w.kind, w.provider, r.id, r.state, r.asked, r.answered, r.created_at, r.ended_at
        FROM unnest(?::text[], ?::text[]) AS w (kind, provider)
       CROSS JOIN LATERAL (
          SELECT n.id, n.state, n.asked, n.answered, n.created_at, n.ended_at
            FROM onejob.qualification_run AS n
           WHERE n.kind = w.kind AND n.provider = w.provider
           ORDER BY n.created_at DESC, n.id DESC
           LIMIT 1) AS r
      """;

  /** The newest run of each. */
  Map<Pair, LastRun> newestRuns(List<Pair> pairs) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(NEWEST_RUNS)) {
      select.setArray(1, texts(connection, pairs.stream().map(Pair::kind).toArray()));
      select.setArray(2, texts(connection, pairs.stream().map(Pair::provider).toArray()));
      Map<Pair, LastRun> found = new HashMap<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.put(
              new Pair(rows.getString("kind"), rows.getString("provider")),
              new LastRun(
                  new RunId(rows.getObject("id", UUID.class)).toString(),
                  rows.getString("state"),
                  rows.getInt("asked"),
                  rows.getInt("answered"),
                  rows.getObject("created_at", OffsetDateTime.class).toInstant(),
                  instant(rows, "ended_at")));
        }
      }
      return found;
    }
  }

  private static final String PASSES =
      """
      SELECT w.kind, w.provider, q.run, q.passed_at, q.valid_until, q.breaches, q.withdrawn_at,
             q.withdrawn_by, q.withdrawn_reason, q.bound, q.in_time
        FROM unnest(?::text[], ?::text[], ?::text[]) AS w (kind, provider, binding)
       CROSS JOIN LATERAL (
          SELECT n.run, n.passed_at, n.valid_until, n.breaches, n.withdrawn_at, n.withdrawn_by,
                 n.withdrawn_reason, n.binding = w.binding AS bound,
                 n.valid_until > clock_timestamp() AS in_time
            FROM onejob.qualification AS n
           WHERE n.kind = w.kind AND n.provider = w.provider
           ORDER BY (n.binding = w.binding AND n.withdrawn_at IS NULL
                      AND n.valid_until > clock_timestamp()) DESC,
                 n.id DESC
           LIMIT 1) AS q
      """;

  /** The pass of each that holds, or else the newest. */
  Map<Pair, Pass> passes(List<Wanted> wanted) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(PASSES)) {
      select.setArray(1, texts(connection, wanted.stream().map(w -> w.pair().kind()).toArray()));
      select.setArray(
          2, texts(connection, wanted.stream().map(w -> w.pair().provider()).toArray()));
      select.setArray(3, texts(connection, wanted.stream().map(Wanted::binding).toArray()));
      Map<Pair, Pass> found = new HashMap<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.put(new Pair(rows.getString("kind"), rows.getString("provider")), pass(rows));
        }
      }
      return found;
    }
  }

  private static Pass pass(ResultSet row) throws SQLException {
    Instant withdrawn = instant(row, "withdrawn_at");
    return new Pass(
        worth(withdrawn, row.getBoolean("bound"), row.getBoolean("in_time")),
        row.getString("run"),
        row.getObject("passed_at", OffsetDateTime.class).toInstant(),
        row.getObject("valid_until", OffsetDateTime.class).toInstant(),
        row.getInt("breaches"),
        withdrawn == null
            ? null
            : "by " + row.getString("withdrawn_by") + ": " + row.getString("withdrawn_reason"));
  }

  private static Worth worth(@Nullable Instant withdrawn, boolean bound, boolean inTime) {
    if (withdrawn != null) {
      return Worth.WITHDRAWN;
    }
    if (!inTime) {
      return Worth.EXPIRED;
    }
    return bound ? Worth.HOLDS : Worth.VOID;
  }

  private static Array texts(Connection connection, Object[] texts) throws SQLException {
    return connection.createArrayOf("text", texts);
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }

  /** Passes of a cell, newest first, the last few. */
  List<Qualification> history(Pair pair) {
    return passes.all(pair.kind(), pair.provider(), null, LISTED_MAX);
  }

  /** Runs of a cell, newest first, the last few. */
  List<QualificationRun> runs(Pair pair) {
    return runs.list(pair.kind(), pair.provider(), LISTED_MAX);
  }

  /** One run, whole. */
  Optional<QualificationRun> run(RunId id) {
    return runs.run(id);
  }
}
