package dev.onejob.server.ui.desk;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.engine.Access;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.store.JobQueries;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads what the desk shows besides the list, through the small pool of pages. */
final class DeskReader {
  /** Of more doubts than this only the oldest are counted. */
  static final int COUNTED_MAX = 10_000;

  private final DataSource database;
  private final JobQueries jobs;

  DeskReader(DataSource database) {
    this.database = database;
    this.jobs = new JobQueries(database);
  }

  /** Each job is looked up: without its LIMIT a join reads all jobs there are. */
  private static final String GROUPS =
      """
      SELECT d.kind, d.provider, count(*) AS attempts, min(d.unknown_at) AS oldest
        FROM (
          SELECT j.kind, u.provider, u.unknown_at
            FROM (
              SELECT a.job_id, a.provider, a.unknown_at
                FROM onejob.attempt AS a
               WHERE a.state = 'unknown'
                 AND (?::text IS NULL OR a.owner = ?)
               ORDER BY a.unknown_at
               LIMIT ?) AS u
           CROSS JOIN LATERAL (
             SELECT k.kind
               FROM onejob.job AS k
              WHERE k.id = u.job_id AND k.completed_by IS NULL
              LIMIT 1) AS j) AS d
       GROUP BY d.kind, d.provider
       ORDER BY count(*) DESC, d.kind, d.provider
       LIMIT 20
      """;

  /** What is in doubt, by kind and provider, most first; of one owner, or of all where null. */
  List<DeskGroup> groups(@Nullable Owner owner) throws SQLException {
    String name = owner == null ? null : owner.value();
    try (Connection connection = database.getConnection();
        PreparedStatement select = connection.prepareStatement(GROUPS)) {
      select.setString(1, name);
      select.setString(2, name);
      select.setInt(3, COUNTED_MAX);
      List<DeskGroup> groups = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          groups.add(
              new DeskGroup(
                  rows.getString("kind"),
                  rows.getString("provider"),
                  rows.getLong("attempts"),
                  rows.getObject("oldest", OffsetDateTime.class).toInstant()));
        }
      }
      return groups;
    }
  }

  /**
   * A job, if it is within reach.
   *
   * @throws dev.onejob.server.http.problem.ProblemException if there is none
   */
  Job job(Access reach, JobId id) {
    if (reach.owner() != null && jobs.ownerOf(id).filter(reach::covers).isEmpty()) {
      throw Problem.notFound();
    }
    return jobs.job(id).orElseThrow(Problem::notFound);
  }

  /** The job of an attempt, if it is within reach. */
  Job jobOf(Access reach, AttemptId id) {
    return job(reach, jobs.jobOf(id).orElseThrow(Problem::notFound));
  }

  /** One of the job's attempts. */
  static Attempt attempt(Job job, AttemptId id) {
    return job.attempts().stream()
        .filter(attempt -> attempt.standing().id().equals(id))
        .findFirst()
        .orElseThrow(Problem::notFound);
  }
}
