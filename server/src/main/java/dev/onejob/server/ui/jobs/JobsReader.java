package dev.onejob.server.ui.jobs;

import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads lists of jobs, newest first. None looks at more than {@link #LOOKED_AT_MAX} jobs, however
 * many there are: by the primary key, which is in the order of admission, or by the partial indexes
 * of what is not over. A list that looks for what is rare does so step by step, and ends early
 * where the database is slow: whoever looks at it goes on from there.
 */
final class JobsReader {
  static final int PAGE = 50;

  static final int LOOKED_AT_MAX = 5_000;

  /** After so many jobs the time is looked at; a part of {@link #LOOKED_AT_MAX}. */
  static final int STEP = 500;

  /** After so long a page is shown as it is; much less than a person takes for slow. */
  static final Duration PAGE_LOOKS_MAX = Duration.ofMillis(150);

  private static final UUID OLDEST = new UUID(0, 0);
  private static final UUID NEWEST = new UUID(-1, -1);

  private final DataSource database;
  private final LongSupplier nanos;

  /**
   * Over the pages' pool.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   */
  JobsReader(DataSource database, LongSupplier nanos) {
    this.database = database;
    this.nanos = nanos;
  }

  /**
   * A page.
   *
   * @param goesOnBefore where the next one begins; null: there is none
   * @param lookedAt as in {@link JobsPage}
   */
  record Page(List<JobRow> jobs, @Nullable JobId goesOnBefore, int lookedAt) {}

  /** Lists jobs; of one owner alone unless that is null. */
  Page list(@Nullable String owner, JobFilters filters) throws SQLException {
    try (Connection connection = database.getConnection()) {
      seeOneMoment(connection);
      Page page = list(connection, owner, filters, PAGE, PAGE_LOOKS_MAX);
      connection.commit();
      return page;
    }
  }

  private static final String ONE_MOMENT =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      """;

  /**
   * Begins a transaction that sees everything as of one moment: between two steps of a list that
   * changes, jobs would be passed over or shown twice. Given back, a line is as it was lent.
   */
  static void seeOneMoment(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(ONE_MOMENT);
    }
  }

  /**
   * The same over a connection of the caller's, which sees one moment.
   *
   * @param most so many jobs at most
   * @param looksMax after so long no further step is begun
   */
  Page list(
      Connection connection,
      @Nullable String owner,
      JobFilters filters,
      int most,
      Duration looksMax)
      throws SQLException {
    if (filters.state() != null && !filters.state().terminal()) {
      Page live = live(connection, owner, filters, filters.state(), most);
      if (live != null) {
        return live;
      }
    }
    return walk(connection, owner, filters, most, looksMax);
  }

  /** Attempts are counted for each job: EXISTS would become a join with all attempts there are. */
  private static final String STEP_ALL =
      """
      SELECT w.id, w.owner, w.key, w.kind, w.state, w.waiting_for, w.contested, w.attempts_started,
             w.tags, w.created_at, w.ended_at
        FROM (
          SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested,
                 j.attempts_started, j.tags, j.created_at, j.ended_at
            FROM onejob.job AS j
           WHERE j.id < ? AND j.id >= ?
           ORDER BY j.id DESC
           LIMIT ?) AS w
       WHERE (?::text IS NULL OR w.state = ?)
         AND (?::text IS NULL OR w.kind = ?)
         AND (?::text IS NULL OR ? = ANY (w.tags))
         AND (?::text IS NULL OR (
               SELECT count(*) FROM onejob.attempt AS a
                WHERE a.job_id = w.id AND a.provider = ?) > 0)
       ORDER BY w.id DESC
       LIMIT ?
      """;

  private static final String STEP_OWNER =
      """
      SELECT w.id, w.owner, w.key, w.kind, w.state, w.waiting_for, w.contested, w.attempts_started,
             w.tags, w.created_at, w.ended_at
        FROM (
          SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested,
                 j.attempts_started, j.tags, j.created_at, j.ended_at
            FROM onejob.job AS j
           WHERE j.owner = ? AND j.id < ? AND j.id >= ?
           ORDER BY j.owner DESC, j.id DESC
           LIMIT ?) AS w
       WHERE (?::text IS NULL OR w.state = ?)
         AND (?::text IS NULL OR w.kind = ?)
         AND (?::text IS NULL OR ? = ANY (w.tags))
         AND (?::text IS NULL OR (
               SELECT count(*) FROM onejob.attempt AS a
                WHERE a.job_id = w.id AND a.provider = ?) > 0)
       ORDER BY w.id DESC
       LIMIT ?
      """;

  private static final String END_OF_STEP_ALL =
      """
      SELECT j.id FROM onejob.job AS j
       WHERE j.id < ? AND j.id >= ?
       ORDER BY j.id DESC
      OFFSET ? LIMIT 1
      """;

  private static final String END_OF_STEP_OWNER =
      """
      SELECT j.id FROM onejob.job AS j
       WHERE j.owner = ? AND j.id < ? AND j.id >= ?
       ORDER BY j.owner DESC, j.id DESC
      OFFSET ? LIMIT 1
      """;

  private Page walk(
      Connection connection,
      @Nullable String owner,
      JobFilters filters,
      int most,
      Duration looksMax)
      throws SQLException {
    long begin = nanos.getAsLong();
    int step = filters.leavesOut() ? STEP : most + 1;
    List<JobRow> found = new ArrayList<>();
    JobFilters rest = filters;
    for (int lookedAt = step; ; lookedAt += step) {
      look(connection, owner, rest, step, most + 1 - found.size(), found);
      if (found.size() > most) {
        List<JobRow> page = found.subList(0, most);
        return new Page(page, page.getLast().id(), lookedAt);
      }
      JobId end = endOfStep(connection, owner, rest, step);
      boolean enough = lookedAt >= LOOKED_AT_MAX || nanos.getAsLong() - begin >= looksMax.toNanos();
      if (end == null || enough) {
        return new Page(found, end, lookedAt);
      }
      rest = rest.before(end);
    }
  }

  /** Of the next so many jobs, those that are not left out. */
  private static void look(
      Connection connection,
      @Nullable String owner,
      JobFilters filters,
      int step,
      int most,
      List<JobRow> into)
      throws SQLException {
    String text = owner == null ? STEP_ALL : STEP_OWNER;
    try (PreparedStatement select = connection.prepareStatement(text)) {
      int at = range(select, owner, filters);
      select.setInt(at++, step);
      at = twice(select, at, filters.state() == null ? null : filters.state().word());
      at = twice(select, at, filters.kind());
      at = twice(select, at, filters.tag());
      at = twice(select, at, filters.provider());
      select.setInt(at, most);
      read(select, into);
    }
  }

  /** The last job that was looked at; null if there were no more. */
  private static @Nullable JobId endOfStep(
      Connection connection, @Nullable String owner, JobFilters filters, int step)
      throws SQLException {
    String text = owner == null ? END_OF_STEP_ALL : END_OF_STEP_OWNER;
    try (PreparedStatement select = connection.prepareStatement(text)) {
      int at = range(select, owner, filters);
      select.setInt(at, step - 1);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? new JobId(rows.getObject("id", UUID.class)) : null;
      }
    }
  }

  private static int range(PreparedStatement select, @Nullable String owner, JobFilters filters)
      throws SQLException {
    int at = 1;
    if (owner != null) {
      select.setString(at++, owner);
    }
    select.setObject(at++, upper(filters));
    select.setObject(at++, filters.from() == null ? OLDEST : first(filters.from()));
    return at;
  }

  /** Signed halves compare otherwise than the database does, so by text, which is in its order. */
  private static UUID upper(JobFilters filters) {
    UUID to = filters.to() == null ? NEWEST : first(filters.to());
    UUID before = filters.before() == null ? NEWEST : filters.before().uuid();
    return to.toString().compareTo(before.toString()) < 0 ? to : before;
  }

  /** The smallest id of a moment: ids begin with the milliseconds since 1970 (RFC 9562). */
  static UUID first(Instant moment) {
    return new UUID(Math.max(0, moment.toEpochMilli()) << 16, 0);
  }

  /** Each job is looked up: without its LIMIT a join reads all jobs there are. */
  private static final String LIVE =
      """
      WITH looked_at AS MATERIALIZED (
        (SELECT a.job_id AS id, 1 AS part FROM onejob.attempt AS a
          WHERE ? = 'unknown' AND a.state = 'unknown' LIMIT ?)
        UNION ALL
        (SELECT a.job_id, 2 FROM onejob.attempt AS a
          WHERE ? = 'running' AND a.state IN ('starting', 'running') LIMIT ?)
        UNION ALL
        (SELECT j.id, 3 FROM onejob.job AS j
          WHERE ? = 'queued' AND j.run_at IS NOT NULL LIMIT ?)
        UNION ALL
        (SELECT j.id, 4 FROM onejob.job AS j
          WHERE ? = 'queued' AND j.waiting_for = 'qualification' LIMIT ?)
        UNION ALL
        (SELECT j.id, 5 FROM onejob.job AS j
          WHERE ? = 'queued' AND (j.contested OR j.waiting_for = 'decision') LIMIT ?)),
      found AS (
        SELECT j.id, j.owner, j.key, j.kind, j.state, j.waiting_for, j.contested,
               j.attempts_started, j.tags, j.created_at, j.ended_at
          FROM (SELECT DISTINCT k.id FROM looked_at AS k) AS l
         CROSS JOIN LATERAL (SELECT k.* FROM onejob.job AS k WHERE k.id = l.id LIMIT 1) AS j
         WHERE j.state = ?
           AND (?::text IS NULL OR j.owner = ?)
           AND j.id < ? AND j.id >= ?
           AND (?::text IS NULL OR j.kind = ?)
           AND (?::text IS NULL OR ? = ANY (j.tags))
           AND (?::text IS NULL OR (
                 SELECT count(*) FROM onejob.attempt AS a
                  WHERE a.job_id = j.id AND a.provider = ?) > 0)
         ORDER BY j.id DESC
         LIMIT ?)
      SELECT f.id, f.owner, f.key, f.kind, f.state, f.waiting_for, f.contested, f.attempts_started,
             f.tags, f.created_at, f.ended_at, m.most
        FROM (
          SELECT coalesce(max(n.count), 0) AS most
            FROM (SELECT count(*) FROM looked_at AS k GROUP BY k.part) AS n) AS m
        LEFT JOIN found AS f ON true
       ORDER BY f.id DESC
      """;

  private static final int LIVE_PARTS = 5;

  /** By the indexes of what is not over; null if they hold too much to be looked at. */
  private static @Nullable Page live(
      Connection connection, @Nullable String owner, JobFilters filters, JobState state, int most)
      throws SQLException {
    List<JobRow> found = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(LIVE)) {
      int at = 1;
      for (int i = 0; i < LIVE_PARTS; i++) {
        select.setString(at++, state.word());
        select.setInt(at++, LOOKED_AT_MAX);
      }
      select.setString(at++, state.word());
      at = twice(select, at, owner);
      select.setObject(at++, upper(filters));
      select.setObject(at++, filters.from() == null ? OLDEST : first(filters.from()));
      at = twice(select, at, filters.kind());
      at = twice(select, at, filters.tag());
      at = twice(select, at, filters.provider());
      select.setInt(at, most + 1);
      if (readLive(select, found) >= LOOKED_AT_MAX) {
        return null; // there may be more than was looked at, and newer ones
      }
    }
    boolean more = found.size() > most;
    List<JobRow> page = more ? found.subList(0, most) : found;
    return new Page(page, more ? page.getLast().id() : null, 0);
  }

  /** Reads the rows; how many entries of one index were looked at, at most. */
  private static long readLive(PreparedStatement select, List<JobRow> into) throws SQLException {
    long most = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) { // one row without a job where nothing was found
        most = rows.getLong("most");
        if (rows.getObject("id") != null) {
          into.add(row(rows));
        }
      }
    }
    return most;
  }

  static int twice(PreparedStatement select, int at, @Nullable String value) throws SQLException {
    select.setString(at, value);
    select.setString(at + 1, value);
    return at + 2;
  }

  static void read(PreparedStatement select, List<JobRow> into) throws SQLException {
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        into.add(row(rows));
      }
    }
  }

  private static JobRow row(ResultSet rows) throws SQLException {
    Array tags = rows.getArray("tags");
    OffsetDateTime endedAt = rows.getObject("ended_at", OffsetDateTime.class);
    return new JobRow(
        new JobId(rows.getObject("id", UUID.class)),
        rows.getString("owner"),
        rows.getString("key"),
        rows.getString("kind"),
        rows.getString("state"),
        rows.getString("waiting_for"),
        rows.getBoolean("contested"),
        rows.getInt("attempts_started"),
        List.of((String[]) tags.getArray()),
        rows.getObject("created_at", OffsetDateTime.class).toInstant(),
        endedAt == null ? null : endedAt.toInstant());
  }
}
