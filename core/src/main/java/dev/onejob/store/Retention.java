package dev.onejob.store;

import dev.onejob.domain.JobId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets go of what is no longer kept: payloads first, whole jobs later. Only of jobs that have ended
 * and have no live attempt; both are looked at again behind the lock.
 *
 * <p>It walks the jobs in the order of their ids. What is not ripe when the walk passes is listed
 * with the time at which it may be, and looked at then. One transaction at a time does one sort of
 * work, whatever the number of nodes; the others find the turn taken and leave. Rows that somebody
 * holds are left for later: nothing here ever waits for a job.
 */
public final class Retention {
  /**
   * Most bytes of payloads emptied in one transaction: a large value lies in pieces of 2 kB, each
   * of which is a row to delete.
   */
  private static final long BYTES_MAX = 32L << 20;

  private final Sql sql;

  public Retention(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * What one batch came to.
   *
   * @param done jobs emptied or removed
   * @param more whether another batch is likely to find work at once
   */
  public record Batch(int done, boolean more) {}

  /**
   * Empties input and result of jobs that ended that long ago or longer.
   *
   * @param limit most jobs to look at, in the walk and among those listed for later, each
   */
  public Batch emptyPayloads(Duration after, int limit) {
    return sql.transaction(connection -> batch(connection, Work.PAYLOAD, after, limit));
  }

  /**
   * Removes jobs that ended that long ago or longer, with their attempts, decisions and evidence.
   * Their keys are free from then on.
   *
   * @param limit most jobs to look at, in the walk and among those listed for later, each
   */
  public Batch removeJobs(Duration after, int limit) {
    return sql.transaction(connection -> batch(connection, Work.TOMBSTONE, after, limit));
  }

  private enum Work {
    PAYLOAD("payload"),
    TOMBSTONE("tombstone");

    private final String word;

    Work(String word) {
      this.word = word;
    }
  }

  /** Takes the turn. Plans must not be those that were right while the tables were empty. */
  private static final String TURN =
      """
      SELECT
        set_config('enable_seqscan', 'off', true),
        set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true)
      ;
      SELECT
        r.passed,
        (lpad(to_hex(greatest(
            0, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - :after_ms)), 12, '0')
          || '00000000000000000000')::uuid AS end
      FROM onejob.retention AS r
      WHERE r.work = :work
      FOR UPDATE SKIP LOCKED
      """;

  private record Turn(UUID passed, UUID end) {}

  private static Batch batch(Connection connection, Work work, Duration after, int limit)
      throws SQLException {
    Params params =
        new Params().set("work", work.word).set("after_ms", after.toMillis()).set("limit", limit);
    List<Turn> turn =
        Sql.query(
            connection,
            TURN,
            params,
            row -> new Turn(Rows.uuid(row, "passed"), Rows.uuid(row, "end")));
    if (turn.isEmpty()) {
      return new Batch(0, false);
    }
    params.set("passed", turn.getFirst().passed()).set("end", turn.getFirst().end());
    List<Seen> walked = fitting(Sql.query(connection, WALK, params, Retention::seen));
    List<Seen> again = fitting(Sql.query(connection, AGAIN, params, Retention::seen));
    int done = done(connection, work, params, ids(walked, again));
    if (!walked.isEmpty()) {
      execute(connection, PASS, params.set("passed", walked.getLast().id()));
    }
    return new Batch(done, walked.size() == limit || again.size() == limit || done > 0);
  }

  private static final String WALK =
      """
      SELECT
        j.id, j.ended_at,
        coalesce(octet_length(j.input), 0) + coalesce(octet_length(j.result), 0) AS bytes
      FROM onejob.job AS j
      WHERE j.id > :passed AND j.id < :end
      ORDER BY j.id
      LIMIT :limit
      """;

  private static final String AGAIN =
      """
      SELECT
        l.job_id AS id, j.ended_at,
        coalesce(octet_length(j.input), 0) + coalesce(octet_length(j.result), 0) AS bytes
      FROM onejob.retention_later AS l
      LEFT JOIN onejob.job AS j ON j.id = l.job_id
      WHERE l.work = :work AND l.look_at <= statement_timestamp()
      ORDER BY l.look_at
      LIMIT :limit
      """;

  private record Seen(UUID id, @Nullable Instant endedAt, long bytes) {}

  private static Seen seen(ResultSet row) throws SQLException {
    return new Seen(
        Rows.uuid(row, "id"), Rows.instantOrNull(row, "ended_at"), row.getLong("bytes"));
  }

  /** The first ones, as many as have no more bytes than one transaction takes; one at least. */
  private static List<Seen> fitting(List<Seen> seen) {
    List<Seen> fit = new ArrayList<>();
    long bytes = 0;
    for (Seen one : seen) {
      bytes += one.endedAt() == null ? 0 : one.bytes();
      if (bytes > BYTES_MAX && !fit.isEmpty()) {
        return fit;
      }
      fit.add(one);
    }
    return fit;
  }

  private static List<UUID> ids(List<Seen> walked, List<Seen> again) {
    Set<UUID> ids = new HashSet<>();
    walked.forEach(one -> ids.add(one.id()));
    again.forEach(one -> ids.add(one.id()));
    return List.copyOf(ids);
  }

  private static final String RIPE =
      """
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[])
        AND j.live = 0
        AND NOT j.contested
        AND j.ended_at <= clock_timestamp() - :after_ms * interval '1 millisecond'
      ORDER BY j.id
      FOR UPDATE SKIP LOCKED
      """;

  private static int done(Connection connection, Work work, Params params, List<UUID> jobs)
      throws SQLException {
    params.column("jobs", "uuid", jobs, id -> id);
    List<JobId> ripe = Sql.query(connection, RIPE, params, row -> Rows.jobId(row, "id"));
    params.column("ripe", "uuid", ripe, JobId::uuid);
    switch (work) {
      case PAYLOAD -> empty(connection, params);
      case TOMBSTONE -> remove(connection, params);
    }
    execute(connection, NO_LONGER_LATER, params);
    execute(connection, LATER, params);
    return ripe.size();
  }

  private static final String EMPTY =
      """
      UPDATE onejob.job SET
        input = NULL, result = NULL, payload_emptied_at = clock_timestamp()
      WHERE id = ANY (:ripe::uuid[]) AND payload_emptied_at IS NULL
      """;

  private static final String EMPTY_BREACHES =
      """
      UPDATE onejob.breach SET answer = NULL
      WHERE job_id = ANY (:ripe::uuid[]) AND answer IS NOT NULL
      """;

  private static final String REMOVE_BREACHES =
      """
      DELETE FROM onejob.breach WHERE job_id = ANY (:ripe::uuid[])
      """;

  private static final String REMOVE_EVIDENCE =
      """
      DELETE FROM onejob.evidence WHERE job_id = ANY (:ripe::uuid[])
      """;

  private static final String REMOVE_RESOLUTIONS =
      """
      DELETE FROM onejob.resolution WHERE job_id = ANY (:ripe::uuid[])
      """;

  private static final String REMOVE_ATTEMPTS =
      """
      DELETE FROM onejob.attempt WHERE job_id = ANY (:ripe::uuid[])
      """;

  private static final String REMOVE_REPEATS =
      """
      DELETE FROM onejob.job_repeat WHERE job_id = ANY (:ripe::uuid[])
      """;

  private static final String REMOVE_JOBS =
      """
      DELETE FROM onejob.job WHERE id = ANY (:ripe::uuid[])
      """;

  private static void empty(Connection connection, Params params) throws SQLException {
    execute(connection, EMPTY, params);
    execute(connection, EMPTY_BREACHES, params);
  }

  private static void remove(Connection connection, Params params) throws SQLException {
    execute(connection, REMOVE_BREACHES, params);
    execute(connection, REMOVE_EVIDENCE, params);
    execute(connection, REMOVE_RESOLUTIONS, params);
    execute(connection, REMOVE_ATTEMPTS, params);
    execute(connection, REMOVE_REPEATS, params);
    execute(connection, REMOVE_JOBS, params);
  }

  private static final String NO_LONGER_LATER =
      """
      DELETE FROM onejob.retention_later AS l
      WHERE l.work = :work
        AND l.job_id = ANY (:jobs::uuid[])
        AND (l.job_id = ANY (:ripe::uuid[])
          OR NOT EXISTS (SELECT FROM onejob.job AS j WHERE j.id = l.job_id))
      """;

  /**
   * A job that goes on cannot be ripe before the whole time has passed once more; one that has
   * ended is ripe at a known time; one that is over that time was held by somebody, or has an
   * attempt that is still live.
   */
  private static final String LATER =
      """
      INSERT INTO onejob.retention_later (work, job_id, look_at)
      SELECT
        :work, j.id,
        CASE
          WHEN j.ended_at IS NULL THEN t.now + t.after
          WHEN j.ended_at + t.after > t.now THEN j.ended_at + t.after
          ELSE t.now + least(t.after, interval '1 minute')
        END
      FROM onejob.job AS j
      CROSS JOIN (
        SELECT clock_timestamp() AS now, :after_ms * interval '1 millisecond' AS after) AS t
      WHERE j.id = ANY (:jobs::uuid[]) AND NOT j.id = ANY (:ripe::uuid[])
      ON CONFLICT (work, job_id) DO UPDATE SET look_at = excluded.look_at
      """;

  private static final String PASS =
      """
      UPDATE onejob.retention SET passed = :passed WHERE work = :work
      """;

  private static void execute(Connection connection, String text, Params params)
      throws SQLException {
    try (PreparedStatement statement = Sql.prepare(connection, text, params)) {
      statement.executeUpdate();
    }
  }
}
