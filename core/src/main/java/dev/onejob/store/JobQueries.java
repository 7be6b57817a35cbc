package dev.onejob.store;

import dev.onejob.domain.Attempt;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.AttemptStanding;
import dev.onejob.domain.Effect;
import dev.onejob.domain.Evidence;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Resolution;
import dev.onejob.domain.Result;
import dev.onejob.domain.StartCause;
import dev.onejob.domain.Then;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reading jobs and attempts. */
public final class JobQueries {
  private final Sql sql;

  public JobQueries(DataSource database) {
    this.sql = new Sql(database);
  }

  private static final String JOB =
      """
      SELECT
        j.id, j.owner, j.key, j.kind, j.effect, j.input, j.priority, j.tags, j.created_at,
        j.ended_at, j.result_format, j.result, j.state, j.waiting_for, j.version, j.completed_by,
        j.live, j.starting, j.in_doubt, j.attempts_started, j.attempts_allowed, j.run_at,
        j.deadline, j.cancel_requested_at, j.contested, j.failure_code, j.failure_message,
        j.route, j.race_after_ms, j.when_unqualified
      FROM onejob.job AS j
      WHERE j.id = :job
      """;

  private static final String ATTEMPTS =
      """
      SELECT
        a.id, a.job_id, a.owner, a.number, a.provider, a.cause, a.provider_key, a.provider_ref,
        a.state, a.job_version, a.node, a.lease_until, a.started_at, a.accepted_at, a.unknown_at,
        a.ended_at, a.ending, a.failure_code, a.failure_message, a.report_outcome,
        a.report_digest, a.report_bytes, a.lost_to, a.cost
      FROM onejob.attempt AS a
      WHERE a.job_id = :job
      ORDER BY a.number
      """;

  private static final String RESOLUTIONS =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
      ;
      SELECT r.attempt_id, r.verdict, r.then_do, r.reason, r.decided_by, r.decided_at
      FROM onejob.resolution AS r
      WHERE r.job_id = :job
      ORDER BY r.id
      """;

  private static final String EVIDENCE =
      """
      SELECT e.attempt_id, e.source, e.strength, e.says, e.digest, e.bytes, e.learned_at
      FROM onejob.evidence AS e
      WHERE e.job_id = :job
      ORDER BY e.id
      """;

  private record Told<T>(@Nullable UUID attempt, T what) {}

  /** Everything about the attempts of one job. */
  private record Story(
      List<Attempt> attempts, List<Told<Resolution>> resolutions, List<Told<Evidence>> evidence) {
    List<Resolution> resolutionsOf(@Nullable UUID attempt) {
      return of(resolutions, attempt);
    }

    List<Evidence> evidenceOf(UUID attempt) {
      return of(evidence, attempt);
    }

    private static <T> List<T> of(List<Told<T>> told, @Nullable UUID attempt) {
      return told.stream()
          .filter(t -> Objects.equals(t.attempt(), attempt))
          .map(Told::what)
          .toList();
    }
  }

  /** The job with all its attempts, decisions and evidence, as of one moment. */
  public Optional<Job> job(JobId id) {
    return sql.transaction(connection -> job(connection, id));
  }

  private static Optional<Job> job(Connection connection, JobId id) throws SQLException {
    Params params = new Params().set("job", id.uuid());
    Story story = story(connection, params);
    return Sql.query(connection, JOB, params, row -> jobRow(row, story)).stream().findFirst();
  }

  private static Story story(Connection connection, Params params) throws SQLException {
    List<Told<Resolution>> resolutions =
        Sql.query(connection, RESOLUTIONS, params, JobQueries::resolution);
    List<Told<Evidence>> evidence = Sql.query(connection, EVIDENCE, params, JobQueries::evidence);
    Story told = new Story(List.of(), resolutions, evidence);
    List<Attempt> attempts = Sql.query(connection, ATTEMPTS, params, row -> attemptRow(row, told));
    return new Story(attempts, resolutions, evidence);
  }

  private static final String JOB_OF_ATTEMPT =
      """
      SELECT a.job_id FROM onejob.attempt AS a WHERE a.id = :attempt
      """;

  /** The job that an attempt belongs to. */
  public Optional<JobId> jobOf(AttemptId attempt) {
    Params params = new Params().set("attempt", attempt.uuid());
    return sql
        .alone(c -> Sql.query(c, JOB_OF_ATTEMPT, params, row -> Rows.jobId(row, "job_id")))
        .stream()
        .findFirst();
  }

  private static final String WORK =
      """
      SELECT j.id, j.owner, j.key, j.kind, j.route, j.input
      FROM onejob.job AS j
      WHERE j.id = :job
      """;

  /** What an attempt needs to know of its job. */
  public record Work(
      JobId id, Owner owner, IntentKey key, String kind, List<String> route, byte[] input) {}

  /** The input of a job and what goes with it. */
  public Optional<Work> work(JobId id) {
    Params params = new Params().set("job", id.uuid());
    return sql.alone(c -> Sql.query(c, WORK, params, JobQueries::work)).stream().findFirst();
  }

  private static Work work(ResultSet row) throws SQLException {
    return new Work(
        Rows.jobId(row, "id"),
        new Owner(Rows.text(row, "owner")),
        new IntentKey(Rows.text(row, "key")),
        Rows.text(row, "kind"),
        Rows.texts(row, "route"),
        row.getBytes("input"));
  }

  private static final String ENDED =
      """
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[]) AND j.ended_at IS NOT NULL
      """;

  /** Which of these jobs have ended. */
  public Set<JobId> ended(List<JobId> jobs) {
    Params params = new Params().column("jobs", "uuid", jobs, JobId::uuid);
    return sql.alone(c -> Sql.query(c, ENDED, params, row -> Rows.jobId(row, "id"))).stream()
        .collect(Collectors.toSet());
  }

  private static final String LIST =
      """
      SELECT
        j.id, j.owner, j.key, j.kind, j.priority, j.tags, j.created_at, j.ended_at, j.state,
        j.waiting_for, j.version, j.completed_by, j.live, j.starting, j.in_doubt,
        j.attempts_started, j.attempts_allowed, j.run_at, j.deadline, j.cancel_requested_at,
        j.contested, j.failure_code, j.failure_message, j.route, j.race_after_ms,
        j.when_unqualified
      FROM onejob.job AS j
      WHERE (:owner::text IS NULL OR j.owner = :owner)
        AND (:state::text IS NULL OR j.state = :state)
        AND (:kind::text IS NULL OR j.kind = :kind)
        AND (:tag::text IS NULL OR :tag = ANY (j.tags))
        AND (:before::uuid IS NULL OR j.id < :before)
      ORDER BY j.id DESC
      LIMIT :limit
      """;

  /** Which jobs to list, newest first; a null member does not filter. */
  public record Filter(
      @Nullable Owner owner,
      @Nullable JobState state,
      @Nullable String kind,
      @Nullable String tag,
      @Nullable JobId before,
      int limit) {}

  /** A page of jobs without their payloads. */
  public List<Job.Summary> list(Filter filter) {
    Params params =
        new Params()
            .set("owner", filter.owner() == null ? null : filter.owner().value())
            .set("state", filter.state() == null ? null : filter.state().word())
            .set("kind", filter.kind())
            .set("tag", filter.tag())
            .set("before", filter.before() == null ? null : filter.before().uuid())
            .set("limit", filter.limit());
    return sql.alone(connection -> Sql.query(connection, LIST, params, JobQueries::summary));
  }

  private static Job.Summary summary(ResultSet row) throws SQLException {
    return new Job.Summary(
        Rows.jobId(row, "id"),
        new Owner(Rows.text(row, "owner")),
        new IntentKey(Rows.text(row, "key")),
        Rows.text(row, "kind"),
        Rows.standing(row),
        row.getInt("priority"),
        Rows.texts(row, "tags"),
        Rows.instant(row, "created_at"),
        Rows.instantOrNull(row, "ended_at"));
  }

  private static Job jobRow(ResultSet row, Story story) throws SQLException {
    String format = row.getString("result_format");
    byte @Nullable [] result = row.getBytes("result");
    return new Job(
        Rows.jobId(row, "id"),
        new Owner(Rows.text(row, "owner")),
        new IntentKey(Rows.text(row, "key")),
        Rows.text(row, "kind"),
        Effect.of(Rows.text(row, "effect")),
        row.getBytes("input"),
        Rows.standing(row),
        row.getInt("priority"),
        Rows.texts(row, "tags"),
        Rows.instant(row, "created_at"),
        Rows.instantOrNull(row, "ended_at"),
        format == null || result == null ? null : new Result(Result.Format.of(format), result),
        story.attempts(),
        story.resolutionsOf(null));
  }

  private static Attempt attemptRow(ResultSet row, Story story) throws SQLException {
    AttemptStanding standing = Rows.attemptStanding(row);
    return new Attempt(
        standing,
        Rows.jobId(row, "job_id"),
        new Owner(Rows.text(row, "owner")),
        StartCause.of(Rows.text(row, "cause")),
        Rows.text(row, "provider_key"),
        row.getString("provider_ref"),
        Rows.text(row, "node"),
        Rows.instantOrNull(row, "lease_until"),
        Rows.instantOrNull(row, "accepted_at"),
        Rows.instantOrNull(row, "unknown_at"),
        Rows.instantOrNull(row, "ended_at"),
        Rows.failureOrNull(row),
        Rows.attemptIdOrNull(row, "lost_to"),
        row.getString("cost"),
        story.resolutionsOf(standing.id().uuid()),
        story.evidenceOf(standing.id().uuid()));
  }

  private static Told<Resolution> resolution(ResultSet row) throws SQLException {
    String then = row.getString("then_do");
    return new Told<>(
        row.getObject("attempt_id", UUID.class),
        new Resolution(
            Rows.text(row, "verdict"),
            then == null ? null : Then.of(then),
            Rows.text(row, "reason"),
            Rows.text(row, "decided_by"),
            Rows.instant(row, "decided_at")));
  }

  private static Told<Evidence> evidence(ResultSet row) throws SQLException {
    return new Told<>(
        row.getObject("attempt_id", UUID.class),
        new Evidence(
            Rows.text(row, "source"),
            Rows.text(row, "strength"),
            Rows.text(row, "says"),
            Rows.text(row, "digest"),
            row.getLong("bytes"),
            Rows.instant(row, "learned_at")));
  }
}
