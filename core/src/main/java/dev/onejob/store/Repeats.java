package dev.onejob.store;

import dev.onejob.domain.JobId;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** How often jobs were asked for again. A count for people, under no lock of a job. */
public final class Repeats {
  private final Sql sql;

  public Repeats(DataSource database) {
    this.sql = new Sql(database);
  }

  /** Two nodes add in the same order of jobs, so that neither waits for the other in a circle. */
  private static final String ADD =
      """
      INSERT INTO onejob.job_repeat AS r (job_id, repeats, written_at)
      SELECT c.job_id, c.repeats, ARRAY[clock_timestamp()]
      FROM unnest(:jobs::uuid[], :counts::bigint[]) AS c (job_id, repeats)
      JOIN onejob.job AS j ON j.id = c.job_id
      ORDER BY c.job_id
      ON CONFLICT (job_id) DO UPDATE SET
        repeats = r.repeats + excluded.repeats,
        written_at = CASE
          WHEN cardinality(r.written_at) < 64 THEN r.written_at || excluded.written_at
          ELSE r.written_at
        END
      """;

  /**
   * Adds what a node has counted, in one statement. Jobs that are not there any more are passed
   * over.
   *
   * @throws StoreException nothing was added, or nobody knows; a count is not worth a second try
   */
  public void add(Map<JobId, Long> counted) {
    List<JobId> jobs = new ArrayList<>(counted.keySet());
    Params params =
        new Params()
            .column("jobs", "uuid", jobs, JobId::uuid)
            .column("counts", "int8", jobs, counted::get);
    sql.alone(
        connection -> {
          try (PreparedStatement statement = Sql.prepare(connection, ADD, params)) {
            return statement.executeUpdate();
          }
        });
  }
}
