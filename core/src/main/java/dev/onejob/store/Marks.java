package dev.onejob.store;

import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Life;
import dev.onejob.domain.Mark;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Whether a job is still as it was when somebody looked at it. */
final class Marks {
  private Marks() {}

  private static final String SEEN =
      """
      SELECT
        a.id, a.unknown_at,
        (SELECT count(*) FROM onejob.evidence AS e
        WHERE e.job_id = a.job_id AND e.attempt_id = a.id) AS evidence
      FROM onejob.attempt AS a
      WHERE a.job_id = :job
      """;

  private record Row(UUID attempt, @Nullable Instant unknownAt, long evidence) {}

  /**
   * Whether the request is about a job as it no longer is.
   *
   * @param now the job, looked at behind its lock
   */
  static boolean isOld(Connection connection, MoveRequest request, Life now) throws SQLException {
    return request.asOf() != null && !request.asOf().equals(mark(connection, request, now));
  }

  private static Mark mark(Connection connection, MoveRequest request, Life life)
      throws SQLException {
    Params params = new Params().set("job", request.job().uuid());
    Map<UUID, Row> rows = new HashMap<>();
    Sql.query(connection, SEEN, params, Marks::row).forEach(row -> rows.put(row.attempt(), row));
    List<Mark.Seen> seen = life.attempts().stream().map(each -> seen(each, rows)).toList();
    return Mark.of(life.job(), seen);
  }

  private static Mark.Seen seen(AttemptStanding attempt, Map<UUID, Row> rows) {
    Row row = rows.get(attempt.id().uuid());
    if (row == null) {
      throw new IllegalStateException("no row of " + attempt.id() + " behind the lock of its job");
    }
    return new Mark.Seen(attempt, row.unknownAt(), row.evidence());
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        Rows.uuid(row, "id"), Rows.instantOrNull(row, "unknown_at"), row.getLong("evidence"));
  }
}
