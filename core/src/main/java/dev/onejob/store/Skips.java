package dev.onejob.store;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Objection;
import dev.onejob.domain.Skip;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Which providers a job was not given to by itself, and why. */
final class Skips {
  private Skips() {}

  private static final String KEEP =
      """
      INSERT INTO onejob.skip AS s (
        job_id, provider, reason, says, skipped_at, last_at, times)
      SELECT :job, k.provider, k.reason, k.says, :now, :now, 1
      FROM unnest(:providers::text[], :reasons::text[], :says::text[])
        AS k (provider, reason, says)
      ON CONFLICT (job_id, provider, reason) DO UPDATE SET
        says = excluded.says,
        last_at = excluded.last_at,
        times = s.times + 1
      """;

  /** Keeps what spoke against these providers, at most one objection for each. */
  static void keep(Connection connection, JobId job, List<Objection> objections, Instant now)
      throws SQLException {
    Params params =
        new Params()
            .set("job", job.uuid())
            .set("now", now)
            .column("providers", "text", objections, Objection::provider)
            .column("reasons", "text", objections, objection -> objection.reason().word())
            .column("says", "text", objections, objection -> Texts.message(objection.says()));
    try (PreparedStatement statement = Sql.prepare(connection, KEEP, params)) {
      statement.executeUpdate();
    }
  }

  /** Of the jobs in the parameter {@code jobs}; of each, the first that was skipped first. */
  static final String OF =
      """
      SELECT s.job_id, s.provider, s.reason, s.says, s.skipped_at, s.last_at, s.times
      FROM onejob.skip AS s
      WHERE s.job_id = ANY (:jobs::uuid[])
      ORDER BY s.skipped_at, s.provider, s.reason
      """;

  /** Something told of a job. */
  record Told<T>(JobId job, T what) {}

  /** Those of one job among them. */
  static List<Skip> ofJob(List<Told<Skip>> all, JobId job) {
    return all.stream().filter(told -> told.job().equals(job)).map(Told::what).toList();
  }

  static Told<Skip> row(ResultSet row) throws SQLException {
    return new Told<>(Rows.jobId(row, "job_id"), skip(row));
  }

  private static Skip skip(ResultSet row) throws SQLException {
    return new Skip(
        new Objection(
            Rows.text(row, "provider"),
            Objection.Reason.of(Rows.text(row, "reason")),
            Rows.text(row, "says")),
        Rows.instant(row, "skipped_at"),
        Rows.instant(row, "last_at"),
        row.getInt("times"));
  }
}
