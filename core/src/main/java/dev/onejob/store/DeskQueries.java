package dev.onejob.store;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.DeskItem.Because;
import dev.onejob.domain.DeskItem.Place;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Life;
import dev.onejob.domain.Mark;
import dev.onejob.domain.Owner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reading what waits for a person, oldest first. The job of each attempt in doubt is looked up: the
 * LIMIT beside it keeps the planner from joining few doubts by reading all jobs there are, which it
 * does as soon as it takes a filter for a rare one.
 */
public final class DeskQueries {
  private final Sql sql;

  public DeskQueries(DataSource database) {
    this.sql = new Sql(database);
  }

  /** What to list; a null member does not filter. */
  public record Filter(
      @Nullable Owner owner,
      @Nullable String kind,
      @Nullable String provider,
      @Nullable Place after,
      int limit) {}

  /**
   * One thing that waits, with all that is known about it.
   *
   * @param mark as what the job is seen here
   * @param now by the database clock
   */
  public record Waiting(
      Because because,
      UUID id,
      Instant since,
      Job.Summary job,
      Effect effect,
      @Nullable Attempt attempt,
      Life life,
      Mark mark,
      Instant now) {
    /** How long it has waited. */
    public Duration age() {
      return Duration.between(since, now);
    }
  }

  private static final String IN_DOUBT =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT
        'in_doubt' AS because, a.id, a.unknown_at AS since, a.job_id, a.id AS attempt_id,
        clock_timestamp() AS now
      FROM onejob.attempt AS a
      CROSS JOIN LATERAL (
        SELECT k.owner, k.kind, k.completed_by
        FROM onejob.job AS k
        WHERE k.id = a.job_id
        LIMIT 1) AS j
      WHERE a.state = 'unknown'
        AND (:owner::text IS NULL OR a.owner = :owner)
        AND (:kind::text IS NULL OR j.kind = :kind)
        AND (:provider::text IS NULL OR a.provider = :provider)
        AND (:since::timestamptz IS NULL OR (a.unknown_at, a.id) > (:since, :after::uuid))
      ORDER BY a.unknown_at, a.id
      LIMIT :limit
      """;

  /** Attempts in doubt, also of jobs that have their result from another attempt. */
  public List<Waiting> inDoubt(Filter filter) {
    return sql.transaction(connection -> read(connection, IN_DOUBT, params(filter)));
  }

  private static final String OPEN =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT
        'in_doubt' AS because, a.id, a.unknown_at AS since, a.job_id, a.id AS attempt_id,
        clock_timestamp() AS now
      FROM onejob.attempt AS a
      CROSS JOIN LATERAL (
        SELECT k.owner, k.kind, k.completed_by
        FROM onejob.job AS k
        WHERE k.id = a.job_id
        LIMIT 1) AS j
      WHERE a.state = 'unknown'
        AND j.completed_by IS NULL
        AND (:owner::text IS NULL OR a.owner = :owner)
        AND (:kind::text IS NULL OR j.kind = :kind)
        AND (:provider::text IS NULL OR a.provider = :provider)
        AND (:since::timestamptz IS NULL OR (a.unknown_at, a.id) > (:since, :after::uuid))
      ORDER BY a.unknown_at, a.id
      LIMIT :limit
      """;

  /** Attempts in doubt whose jobs have no result. */
  public List<Waiting> open(Filter filter) {
    return sql.transaction(connection -> read(connection, OPEN, params(filter)));
  }

  private static final String DESK =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT d.because, d.id, d.since, d.job_id, d.attempt_id, clock_timestamp() AS now
      FROM (
        (SELECT
          'in_doubt' AS because, a.id, a.unknown_at AS since, a.job_id, a.id AS attempt_id
        FROM onejob.attempt AS a
        CROSS JOIN LATERAL (
          SELECT k.owner, k.kind, k.completed_by
          FROM onejob.job AS k
          WHERE k.id = a.job_id
          LIMIT 1) AS j
        WHERE a.state = 'unknown'
          AND j.completed_by IS NULL
          AND (:owner::text IS NULL OR a.owner = :owner)
          AND (:kind::text IS NULL OR j.kind = :kind)
          AND (:provider::text IS NULL OR a.provider = :provider)
          AND (:since::timestamptz IS NULL OR (a.unknown_at, a.id) > (:since, :after::uuid))
        ORDER BY a.unknown_at, a.id
        LIMIT :limit)
        UNION ALL
        (SELECT
          CASE WHEN j.contested THEN 'contested' ELSE 'decision' END AS because, j.id,
          j.at_desk_since AS since, j.id AS job_id, a.id AS attempt_id
        FROM onejob.job AS j
        LEFT JOIN LATERAL (
          SELECT a.id, a.provider
          FROM onejob.attempt AS a
          WHERE a.job_id = j.id
          ORDER BY
            CASE WHEN j.contested THEN (
              SELECT max(e.id) FROM onejob.evidence AS e WHERE e.attempt_id = a.id)
            END DESC NULLS LAST,
            a.number DESC
          LIMIT 1) AS a ON true
        WHERE (j.contested OR j.waiting_for = 'decision')
          AND (:owner::text IS NULL OR j.owner = :owner)
          AND (:kind::text IS NULL OR j.kind = :kind)
          AND (:provider::text IS NULL OR a.provider = :provider)
          AND (:since::timestamptz IS NULL OR (j.at_desk_since, j.id) > (:since, :after::uuid))
        ORDER BY j.at_desk_since, j.id
        LIMIT :limit)
      ) AS d
      ORDER BY d.since, d.id
      LIMIT :limit
      """;

  /** Attempts in doubt whose jobs have no result, contested jobs, and jobs that wait for a word. */
  public List<Waiting> desk(Filter filter) {
    return sql.transaction(connection -> read(connection, DESK, params(filter)));
  }

  private static final String OF_THESE =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT
        'in_doubt' AS because, a.id, a.unknown_at AS since, a.job_id, a.id AS attempt_id,
        clock_timestamp() AS now
      FROM onejob.attempt AS a
      WHERE a.state = 'unknown' AND a.id = ANY (:attempts::uuid[])
      ORDER BY a.unknown_at, a.id
      """;

  /** Those of the attempts that are in doubt, oldest first. */
  public List<Waiting> inDoubt(Collection<AttemptId> attempts) {
    Params params = new Params().column("attempts", "uuid", List.copyOf(attempts), AttemptId::uuid);
    return sql.transaction(connection -> read(connection, OF_THESE, params));
  }

  private static final String OF_JOB =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT
        CASE WHEN j.contested THEN 'contested' ELSE 'decision' END AS because, j.id,
        j.at_desk_since AS since, j.id AS job_id, a.id AS attempt_id, clock_timestamp() AS now
      FROM onejob.job AS j
      LEFT JOIN LATERAL (
        SELECT a.id
        FROM onejob.attempt AS a
        WHERE a.job_id = j.id
        ORDER BY
          CASE WHEN j.contested THEN (
            SELECT max(e.id) FROM onejob.evidence AS e WHERE e.attempt_id = a.id)
          END DESC NULLS LAST,
          a.number DESC
        LIMIT 1) AS a ON true
      WHERE j.id = :job AND (j.contested OR j.waiting_for = 'decision')
      """;

  /** A job, if it is contested or waits for a decision. */
  public Optional<Waiting> decision(JobId job) {
    Params params = new Params().set("job", job.uuid());
    return sql.transaction(connection -> read(connection, OF_JOB, params)).stream().findFirst();
  }

  private record Found(
      Because because, UUID id, Instant since, JobId job, @Nullable UUID attempt, Instant now) {}

  private record Known(Job.Summary job, Effect effect) {}

  private static Params params(Filter filter) {
    Place after = filter.after();
    return new Params()
        .set("owner", filter.owner() == null ? null : filter.owner().value())
        .set("kind", filter.kind())
        .set("provider", filter.provider())
        .set("since", after == null ? null : after.since())
        .set("after", after == null ? null : after.id())
        .set("limit", filter.limit());
  }

  private static List<Waiting> read(Connection connection, String text, Params params)
      throws SQLException {
    List<Found> found = Sql.query(connection, text, params, DeskQueries::found);
    List<JobId> jobs = found.stream().map(Found::job).distinct().toList();
    Story story = Story.of(connection, jobs);
    Map<JobId, Known> known = known(connection, jobs);
    return found.stream()
        .map(one -> waiting(one, Objects.requireNonNull(known.get(one.job())), story))
        .toList();
  }

  private static Found found(ResultSet row) throws SQLException {
    return new Found(
        Because.of(Rows.text(row, "because")),
        Rows.uuid(row, "id"),
        Rows.instant(row, "since"),
        Rows.jobId(row, "job_id"),
        row.getObject("attempt_id", UUID.class),
        Rows.instant(row, "now"));
  }

  private static final String JOBS =
      """
      SELECT
        j.id, j.owner, j.key, j.kind, j.effect, j.priority, j.tags, j.created_at, j.ended_at,
        j.state, j.waiting_for, j.version, j.completed_by, j.live, j.starting, j.in_doubt,
        j.attempts_started, j.attempts_allowed, j.run_at, j.deadline, j.cancel_requested_at,
        j.contested, j.failure_code, j.failure_message, j.route, j.race_after_ms,
        j.when_unqualified, j.goes_on_at, j.given_up, j.not_before
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[])
      """;

  private static Map<JobId, Known> known(Connection connection, List<JobId> jobs)
      throws SQLException {
    Params params = new Params().column("jobs", "uuid", jobs, JobId::uuid);
    Map<JobId, Known> known = new HashMap<>();
    Sql.query(
            connection,
            JOBS,
            params,
            row -> new Known(JobQueries.summary(row), Effect.of(Rows.text(row, "effect"))))
        .forEach(one -> known.put(one.job().id(), one));
    return known;
  }

  private static Waiting waiting(Found found, Known known, Story story) {
    List<Attempt> attempts = story.attemptsOf(found.job());
    Attempt attempt =
        attempts.stream()
            .filter(a -> a.standing().id().uuid().equals(found.attempt()))
            .findFirst()
            .orElse(null);
    Life life = new Life(known.job().standing(), attempts.stream().map(Attempt::standing).toList());
    return new Waiting(
        found.because(),
        found.id(),
        found.since(),
        known.job(),
        known.effect(),
        attempt,
        life,
        Mark.ofRead(known.job().standing(), attempts),
        found.now());
  }
}
