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

  /** What a page shows of a payload: enough to know it by, and no more than reads at once. */
  static final int SHOWN_BYTES_MAX = 24 << 10;

  /** The job with the beginnings of its payloads; empty if there is none within reach. */
  Optional<JobQueries.Excerpt> shown(Access reach, JobId id) {
    return excerpt(reach, id, SHOWN_BYTES_MAX);
  }

  /** The job without its payloads; empty if there is none within reach. */
  Optional<JobQueries.Excerpt> bare(Access reach, JobId id) {
    return excerpt(reach, id, 0);
  }

  private Optional<JobQueries.Excerpt> excerpt(Access reach, JobId id, int most) {
    return isWithin(reach, id) ? queries.excerpt(id, most) : Optional.empty();
  }

  /** The job, whole; empty if there is none within reach. */
  Optional<Job> whole(Access reach, JobId id) {
    return isWithin(reach, id) ? queries.job(id) : Optional.empty();
  }

  /** Asked first: whose a job is must not be told by how long it takes to read. */
  private boolean isWithin(Access reach, JobId id) {
    return reach.owner() == null || queries.ownerOf(id).filter(reach::covers).isPresent();
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
