package dev.onejob.server.ui.jobs;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.engine.Access;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs by what people hold in their hands: an id, a key, a provider's id. By indexes that are
 * there anyway: of each owner, or provider, one entry is looked up.
 */
final class JobSearch {
  private final DataSource database;

  JobSearch(DataSource database) {
    this.database = database;
  }

  private static final String JOB_OF_ATTEMPT =
      """
      SELECT a.job_id AS id, a.owner FROM onejob.attempt AS a WHERE a.id = ?
      """;

  private static final String JOB =
      """
      SELECT j.id, j.owner FROM onejob.job AS j WHERE j.id = ?
      """;

  /** The job of such an id, or the job of such an attempt; empty if there is none within reach. */
  Optional<JobId> byId(Access reach, String text) throws SQLException {
    Optional<UUID> job = JobId.parse(text).map(JobId::uuid);
    Optional<UUID> attempt = AttemptId.parse(text).map(AttemptId::uuid);
    if (job.isEmpty() && attempt.isEmpty()) {
      return Optional.empty();
    }
    try (Connection connection = database.getConnection();
        PreparedStatement select =
            connection.prepareStatement(job.isPresent() ? JOB : JOB_OF_ATTEMPT)) {
      select.setObject(1, job.or(() -> attempt).orElseThrow());
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() && reach.covers(new Owner(rows.getString("owner")))
            ? Optional.of(new JobId(rows.getObject("id", UUID.class)))
            : Optional.empty();
      }
    }
  }

  private static final String BY_KEY =
      """
      WITH RECURSIVE owners (owner) AS (
        (SELECT j.owner FROM onejob.job AS j
          WHERE ?::text IS NULL OR j.owner = ? ORDER BY j.owner LIMIT 1)
        UNION ALL
        SELECT (SELECT j.owner FROM onejob.job AS j
                 WHERE j.owner > o.owner AND ?::text IS NULL ORDER BY j.owner LIMIT 1)
          FROM owners AS o WHERE o.owner IS NOT NULL)
      SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested, j.attempts_started,
             j.tags, j.created_at, j.ended_at
        FROM (SELECT e.owner FROM owners AS e WHERE e.owner IS NOT NULL LIMIT ?) AS o
        JOIN onejob.job AS j ON j.owner = o.owner AND j.key = ?
       LIMIT ?
      """;

  private static final String BY_PROVIDERS_ID =
      """
      WITH RECURSIVE providers (provider) AS (
        (SELECT a.provider FROM onejob.attempt AS a
          WHERE a.provider_ref IS NOT NULL ORDER BY a.provider LIMIT 1)
        UNION ALL
        SELECT (SELECT a.provider FROM onejob.attempt AS a
                 WHERE a.provider_ref IS NOT NULL AND a.provider > p.provider
                 ORDER BY a.provider LIMIT 1)
          FROM providers AS p WHERE p.provider IS NOT NULL)
      SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested, j.attempts_started,
             j.tags, j.created_at, j.ended_at
        FROM (SELECT e.provider FROM providers AS e WHERE e.provider IS NOT NULL LIMIT ?) AS p
        JOIN onejob.attempt AS a ON a.provider = p.provider AND a.provider_ref = ?
        JOIN onejob.job AS j ON j.id = a.job_id
       WHERE ?::text IS NULL OR j.owner = ?
       LIMIT ?
      """;

  /** Owners, or providers, among whom is looked. */
  private static final int GROUPS_MAX = 2_000;

  /** Jobs with such a key, or with an attempt that its provider calls so. */
  List<JobRow> byName(@Nullable String owner, String text) throws SQLException {
    List<JobRow> found = new ArrayList<>();
    if (text.indexOf('\0') >= 0) {
      return found;
    }
    try (Connection connection = database.getConnection()) {
      try (PreparedStatement select = connection.prepareStatement(BY_KEY)) {
        int at = JobsReader.twice(select, 1, owner);
        select.setString(at++, owner);
        select.setInt(at++, GROUPS_MAX);
        select.setString(at++, unquoted(text));
        select.setInt(at, JobsReader.PAGE);
        JobsReader.read(select, found);
      }
      try (PreparedStatement select = connection.prepareStatement(BY_PROVIDERS_ID)) {
        select.setInt(1, GROUPS_MAX);
        select.setString(2, text);
        int at = JobsReader.twice(select, 3, owner);
        select.setInt(at, JobsReader.PAGE);
        JobsReader.read(select, found);
      }
    }
    return found.stream().distinct().toList();
  }

  /** The quoted and the bare form of a key are the same key. */
  private static String unquoted(String text) {
    boolean quoted = text.length() > 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
