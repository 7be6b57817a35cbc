package dev.onejob.server.ui.jobs;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import dev.onejob.engine.Access;
import java.sql.Array;
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

  /**
   * What was found.
   *
   * @param partly whether there are more owners, or providers, than were looked at
   */
  record Found(List<JobRow> jobs, boolean partly) {}

  private static final String OWNERS =
      """
      WITH RECURSIVE owners (name) AS (
        (SELECT j.owner FROM onejob.job AS j ORDER BY j.owner LIMIT 1)
        UNION ALL
        SELECT (SELECT j.owner FROM onejob.job AS j WHERE j.owner > o.name ORDER BY j.owner LIMIT 1)
          FROM owners AS o WHERE o.name IS NOT NULL)
      SELECT o.name FROM owners AS o WHERE o.name IS NOT NULL LIMIT ?
      """;

  private static final String PROVIDERS =
      """
      WITH RECURSIVE providers (name) AS (
        (SELECT a.provider FROM onejob.attempt AS a
          WHERE a.provider_ref IS NOT NULL ORDER BY a.provider LIMIT 1)
        UNION ALL
        SELECT (SELECT a.provider FROM onejob.attempt AS a
                 WHERE a.provider_ref IS NOT NULL AND a.provider > p.name
                 ORDER BY a.provider LIMIT 1)
          FROM providers AS p WHERE p.name IS NOT NULL)
      SELECT p.name FROM providers AS p WHERE p.name IS NOT NULL LIMIT ?
      """;

  private static final String BY_KEY =
      """
      SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested, j.attempts_started,
             j.tags, j.created_at, j.ended_at
        FROM onejob.job AS j
       WHERE j.owner = ? AND j.key = ?
      """;

  private static final String BY_KEY_OF_ANY =
      """
      SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested, j.attempts_started,
             j.tags, j.created_at, j.ended_at
        FROM unnest(?::text[]) AS o (name)
        JOIN onejob.job AS j ON j.owner = o.name AND j.key = ?
       LIMIT ?
      """;

  private static final String BY_PROVIDERS_ID =
      """
      SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested, j.attempts_started,
             j.tags, j.created_at, j.ended_at
        FROM unnest(?::text[]) AS p (name)
        JOIN onejob.attempt AS a ON a.provider = p.name AND a.provider_ref = ?
        JOIN onejob.job AS j ON j.id = a.job_id
       WHERE ?::text IS NULL OR j.owner = ?
       LIMIT ?
      """;

  /** Owners, or providers, among whom is looked. */
  static final int GROUPS_MAX = 2_000;

  /** Jobs with such a key, or with an attempt that its provider calls so. */
  Found byName(@Nullable String owner, String text) throws SQLException {
    if (text.indexOf('\0') >= 0) {
      return new Found(List.of(), false);
    }
    List<JobRow> found = new ArrayList<>();
    try (Connection connection = database.getConnection()) {
      boolean partly = byKey(connection, owner, unquoted(text), found);
      partly |= byProvidersId(connection, owner, text, found);
      return new Found(found.stream().distinct().toList(), partly);
    }
  }

  /** Whether there are owners among whom was not looked. */
  private static boolean byKey(
      Connection connection, @Nullable String owner, String key, List<JobRow> found)
      throws SQLException {
    if (owner != null) {
      try (PreparedStatement select = connection.prepareStatement(BY_KEY)) {
        select.setString(1, owner);
        select.setString(2, key);
        JobsReader.read(select, found);
        return false;
      }
    }
    List<String> owners = names(connection, OWNERS);
    try (PreparedStatement select = connection.prepareStatement(BY_KEY_OF_ANY)) {
      select.setArray(1, lookedAt(connection, owners));
      select.setString(2, key);
      select.setInt(3, JobsReader.PAGE);
      JobsReader.read(select, found);
    }
    return owners.size() > GROUPS_MAX;
  }

  private static boolean byProvidersId(
      Connection connection, @Nullable String owner, String text, List<JobRow> found)
      throws SQLException {
    List<String> providers = names(connection, PROVIDERS);
    try (PreparedStatement select = connection.prepareStatement(BY_PROVIDERS_ID)) {
      select.setArray(1, lookedAt(connection, providers));
      select.setString(2, text);
      int at = JobsReader.twice(select, 3, owner);
      select.setInt(at, JobsReader.PAGE);
      JobsReader.read(select, found);
    }
    return providers.size() > GROUPS_MAX;
  }

  /** One more than is looked at, so that it is known whether there are more. */
  private static List<String> names(Connection connection, String text) throws SQLException {
    List<String> names = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(text)) {
      select.setInt(1, GROUPS_MAX + 1);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString("name"));
        }
      }
    }
    return names;
  }

  private static Array lookedAt(Connection connection, List<String> names) throws SQLException {
    return connection.createArrayOf("text", names.stream().limit(GROUPS_MAX).toArray());
  }

  /** The quoted and the bare form of a key are the same key. */
  private static String unquoted(String text) {
    boolean quoted = text.length() > 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
