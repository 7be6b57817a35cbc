package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.Cost;
import dev.onejob.domain.Effect;
import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Job;
import dev.onejob.domain.JobCost;
import dev.onejob.domain.JobGlance;
import dev.onejob.domain.JobId;
import dev.onejob.domain.JobState;
import dev.onejob.domain.Money;
import dev.onejob.domain.Owner;
import dev.onejob.domain.Result;
import dev.onejob.domain.Skip;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reading jobs and attempts. */
public final class JobQueries {
  private final Sql sql;

  public JobQueries(DataSource database) {
    this.sql = new Sql(database);
  }

  private static final String JOBS =
      """
      SELECT
        j.id, j.owner, j.key, j.kind, j.effect, j.input, j.priority, j.tags, j.created_at,
        j.ended_at, j.result_format, j.result, j.state, j.waiting_for, j.version, j.completed_by,
        j.live, j.starting, j.in_doubt, j.attempts_started, j.attempts_allowed, j.run_at,
        j.deadline, j.cancel_requested_at, j.contested, j.failure_code, j.failure_message,
        j.route, j.race_after_ms, j.when_unqualified, j.goes_on_at, j.given_up, j.not_before,
        j.payload_emptied_at, coalesce(r.repeats, 0) AS repeats
      FROM onejob.job AS j
      LEFT JOIN onejob.job_repeat AS r ON r.job_id = j.id
      WHERE j.id = ANY (:jobs::uuid[])
      """;

  /** The job with all its attempts, decisions and evidence, as of one moment. */
  public Optional<Job> job(JobId id) {
    return Optional.ofNullable(jobs(List.of(id)).get(id));
  }

  /** The same of several jobs at once: those that there are. */
  public Map<JobId, Job> jobs(List<JobId> ids) {
    return sql.transaction(connection -> jobs(connection, ids)).stream()
        .collect(Collectors.toMap(Job::id, Function.identity()));
  }

  private static List<Job> jobs(Connection connection, List<JobId> ids) throws SQLException {
    Params params = new Params().column("jobs", "uuid", ids, JobId::uuid);
    return whole(connection, JOBS, params, JobQueries::jobRow);
  }

  /** Maps the row of a job. */
  private interface WholeMapper<T> {
    T map(ResultSet row, Story story, List<Skips.Told<Skip>> skips) throws SQLException;
  }

  /** Everything in one round trip; the parameter {@code jobs} names the jobs. */
  private static <T> List<T> whole(
      Connection connection, String jobs, Params params, WholeMapper<T> mapper)
      throws SQLException {
    List<String> texts = new ArrayList<>(Story.TEXTS);
    texts.add(Skips.OF);
    texts.add(jobs);
    try (PreparedStatement statement = Sql.prepare(connection, texts, params)) {
      List<ResultSet> results = Sql.results(statement);
      Story story = Story.read(results);
      ResultSet skipped = results.get(Story.TEXTS.size());
      List<Skips.Told<Skip>> skips = Sql.rows(skipped, Skips::row);
      return Sql.rows(results.getLast(), row -> mapper.map(row, story, skips));
    }
  }

  private static final String GLANCE =
      """
      SELECT
        j.id, j.owner, j.result_format, j.result, j.state, j.waiting_for, j.version, j.completed_by,
        j.live, j.starting, j.in_doubt, j.attempts_started, j.attempts_allowed, j.run_at,
        j.deadline, j.cancel_requested_at, j.contested, j.failure_code, j.failure_message,
        j.route, j.race_after_ms, j.when_unqualified, j.goes_on_at, j.given_up, j.not_before
      FROM onejob.job AS j
      WHERE j.id = :job
      """;

  /** How far the job is, in one query. */
  public Optional<JobGlance> glance(JobId id) {
    Params params = new Params().set("job", id.uuid());
    return sql.alone(c -> Sql.query(c, GLANCE, params, JobQueries::glanceRow)).stream().findFirst();
  }

  private static JobGlance glanceRow(ResultSet row) throws SQLException {
    return new JobGlance(
        Rows.jobId(row, "id"), new Owner(Rows.text(row, "owner")), Rows.standing(row), result(row));
  }

  private static @Nullable Result result(ResultSet row) throws SQLException {
    String format = row.getString("result_format");
    byte @Nullable [] result = row.getBytes("result");
    return format == null || result == null ? null : new Result(Result.Format.of(format), result);
  }

  private static final String EXCERPT =
      """
      SELECT
        j.id, j.owner, j.key, j.kind, j.effect,
        substring(j.input FROM 1 FOR :most::integer) AS input, j.priority, j.tags, j.created_at,
        j.ended_at, j.result_format, substring(j.result FROM 1 FOR :most::integer) AS result,
        j.state, j.waiting_for, j.version, j.completed_by,
        j.live, j.starting, j.in_doubt, j.attempts_started, j.attempts_allowed, j.run_at,
        j.deadline, j.cancel_requested_at, j.contested, j.failure_code, j.failure_message,
        j.route, j.race_after_ms, j.when_unqualified, j.goes_on_at, j.given_up, j.not_before,
        j.payload_emptied_at, coalesce(r.repeats, 0) AS repeats,
        coalesce(octet_length(j.input), 0) AS input_bytes,
        coalesce(octet_length(j.result), 0) AS result_bytes
      FROM onejob.job AS j
      LEFT JOIN onejob.job_repeat AS r ON r.job_id = j.id
      WHERE j.id = ANY (:jobs::uuid[])
      """;

  /**
   * A job whose payloads were read only from their beginning.
   *
   * @param job its input and result are cut, maybe amid a character
   * @param inputBytes of the whole input; 0 where there is none
   * @param resultBytes of the whole result; 0 where there is none
   */
  public record Excerpt(Job job, long inputBytes, long resultBytes) {}

  /**
   * The job with all its attempts, decisions and evidence, as of one moment.
   *
   * @param most bytes of either payload that are read; 0: none, yet which are there is told
   */
  public Optional<Excerpt> excerpt(JobId id, int most) {
    return sql.transaction(connection -> excerpt(connection, id, most));
  }

  private static Optional<Excerpt> excerpt(Connection connection, JobId id, int most)
      throws SQLException {
    Params params = new Params().column("jobs", "uuid", List.of(id), JobId::uuid).set("most", most);
    return whole(
            connection,
            EXCERPT,
            params,
            (row, story, skips) ->
                new Excerpt(
                    jobRow(row, story, skips),
                    row.getLong("input_bytes"),
                    row.getLong("result_bytes")))
        .stream()
        .findFirst();
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

  private static final String OWNER =
      """
      SELECT j.owner FROM onejob.job AS j WHERE j.id = :job
      """;

  /** Whose job it is, without reading anything else of it; empty if there is none. */
  public Optional<Owner> ownerOf(JobId id) {
    Params params = new Params().set("job", id.uuid());
    return sql
        .alone(c -> Sql.query(c, OWNER, params, row -> new Owner(Rows.text(row, "owner"))))
        .stream()
        .findFirst();
  }

  private static final String BROKEN_ANSWER =
      """
      SELECT b.answer FROM onejob.breach AS b
      WHERE b.attempt_id = :attempt AND b.answer IS NOT NULL
      """;

  /**
   * The beginning of the answer by which an attempt broke its contract, as it came; empty if there
   * is none, or if it was emptied.
   */
  public Optional<byte[]> brokenAnswer(AttemptId attempt) {
    Params params = new Params().set("attempt", attempt.uuid());
    return sql
        .alone(c -> Sql.query(c, BROKEN_ANSWER, params, row -> row.getBytes("answer")))
        .stream()
        .findFirst();
  }

  private static final String WORK =
      """
      SELECT j.id, j.owner, j.key, j.kind, j.route, j.input
      FROM onejob.job AS j
      WHERE j.id = :job AND j.input IS NOT NULL
      """;

  /** What an attempt needs to know of its job. */
  public record Work(
      JobId id, Owner owner, IntentKey key, String kind, List<String> route, byte[] input) {}

  /** The input of a job and what goes with it; empty if it was emptied. */
  public Optional<Work> work(JobId id) {
    Params params = new Params().set("job", id.uuid());
    return sql.alone(c -> Sql.query(c, WORK, params, JobQueries::work)).stream().findFirst();
  }

  private static final String SMALL_WORKS =
      """
      SELECT j.id, j.owner, j.key, j.kind, j.route, j.input
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[]) AND octet_length(j.input) <= :bytes_max
      """;

  /** The same of many at once: of those whose input was not emptied and is not larger than that. */
  public Map<JobId, Work> smallWorks(List<JobId> jobs, int bytesMax) {
    Params params =
        new Params().column("jobs", "uuid", jobs, JobId::uuid).set("bytes_max", bytesMax);
    return sql.alone(c -> Sql.query(c, SMALL_WORKS, params, JobQueries::work)).stream()
        .collect(Collectors.toMap(Work::id, Function.identity()));
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

  private static final String CONTRACTED =
      """
      SELECT j.id FROM onejob.job AS j WHERE j.id = :job AND j.contracted
      """;

  /** Whether its kind had a contract when the job was admitted. */
  public boolean contracted(JobId id) {
    Params params = new Params().set("job", id.uuid());
    return !sql.alone(c -> Sql.query(c, CONTRACTED, params, row -> Rows.jobId(row, "id")))
        .isEmpty();
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
        j.when_unqualified, j.goes_on_at, j.given_up, j.not_before
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

  private static final String COSTS =
      """
      SELECT a.job_id, a.cost
      FROM onejob.attempt AS a
      WHERE a.job_id = ANY (:jobs::uuid[])
      """;

  private record Costed(JobId job, Optional<Money> price) {}

  /** What these jobs have cost so far; those without an attempt are left out. */
  public Map<JobId, JobCost.Paid> paid(List<JobId> jobs) {
    if (jobs.isEmpty()) {
      return Map.of();
    }
    Params params = new Params().column("jobs", "uuid", jobs, JobId::uuid);
    return sql.alone(c -> Sql.query(c, COSTS, params, JobQueries::costed)).stream()
        .collect(
            Collectors.groupingBy(
                Costed::job,
                Collectors.collectingAndThen(
                    Collectors.mapping(Costed::price, Collectors.toList()), JobCost::paid)));
  }

  private static Costed costed(ResultSet row) throws SQLException {
    String cost = row.getString("cost");
    return new Costed(
        Rows.jobId(row, "job_id"), Optional.ofNullable(cost).map(Cost::of).map(Cost::price));
  }

  static Job.Summary summary(ResultSet row) throws SQLException {
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

  private static Job jobRow(ResultSet row, Story story, List<Skips.Told<Skip>> skips)
      throws SQLException {
    JobId id = Rows.jobId(row, "id");
    return new Job(
        id,
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
        result(row),
        Rows.instantOrNull(row, "payload_emptied_at"),
        row.getLong("repeats"),
        story.attemptsOf(id),
        story.resolutionsOf(id),
        Skips.ofJob(skips, id));
  }
}
