package dev.onejob.server.ui.job;

import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.engine.Access;
import dev.onejob.store.JobQueries;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Reads a job for its page. */
final class JobReader {
  private final DataSource database;
  private final JobQueries queries;

  JobReader(DataSource database) {
    this.database = database;
    this.queries = new JobQueries(database);
  }

  /** The job; empty if there is none within reach. */
  Optional<Job> job(Access reach, JobId id) {
    return queries.job(id).filter(job -> reach.covers(job.owner()));
  }

  private static final String REPEATED =
      """
      SELECT r.written_at FROM onejob.job_repeat AS r WHERE r.job_id = ?
      """;

  /** When repeats of its key were written down, as far as that is kept. */
  List<Instant> repeatedAt(JobId id) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(REPEATED)) {
      select.setObject(1, id.uuid());
      try (ResultSet rows = select.executeQuery()) {
        return rows.next()
            ? Arrays.stream((Timestamp[]) rows.getArray("written_at").getArray())
                .map(Timestamp::toInstant)
                .toList()
            : List.of();
      }
    }
  }
}
