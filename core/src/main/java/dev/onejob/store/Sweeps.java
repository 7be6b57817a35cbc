package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Finds what time has done: it only looks; {@link Moves} decides again behind the lock. */
public final class Sweeps {
  private final Sql sql;

  public Sweeps(DataSource database) {
    this.sql = new Sql(database);
  }

  /** An attempt whose holder has not renewed its lease in time. */
  public record Lapsed(JobId job, AttemptId attempt, UUID token) {}

  private static final String LAPSED =
      """
      SELECT a.job_id, a.id, a.lease_token
      FROM onejob.attempt AS a
      WHERE a.state IN ('starting', 'running') AND a.lease_until <= clock_timestamp()
      ORDER BY a.lease_until
      LIMIT :limit
      """;

  /** Attempts under a lapsed lease, longest lapsed first. */
  public List<Lapsed> lapsed(int limit) {
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                LAPSED,
                new Params().set("limit", limit),
                row ->
                    new Lapsed(
                        Rows.jobId(row, "job_id"),
                        Rows.attemptId(row, "id"),
                        Rows.uuid(row, "lease_token"))));
  }

  private static final String EXPIRED =
      """
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.expires_at IS NOT NULL AND j.expires_at <= clock_timestamp()
      ORDER BY j.expires_at
      LIMIT :limit
      """;

  /** Queued jobs whose deadline has passed. */
  public List<JobId> expired(int limit) {
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                EXPIRED,
                new Params().set("limit", limit),
                row -> Rows.jobId(row, "id")));
  }

  /** An attempt in doubt whose job has its result from another. */
  public record Silent(JobId job, AttemptId attempt) {}

  private static final String SILENT =
      """
      SELECT a.job_id, a.id
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.state = 'unknown'
        AND a.unknown_at <= clock_timestamp() - :bound_ms * interval '1 millisecond'
        AND j.completed_by IS NOT NULL
      ORDER BY a.unknown_at
      LIMIT :limit
      """;

  /** Attempts in doubt for longer than the bound, whose jobs have their results. */
  public List<Silent> silent(Duration bound, int limit) {
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                SILENT,
                new Params().set("bound_ms", bound.toMillis()).set("limit", limit),
                row -> new Silent(Rows.jobId(row, "job_id"), Rows.attemptId(row, "id"))));
  }

  /** An attempt that has been in doubt for as long as its kind's rule says. */
  public record Overdue(JobId job, AttemptId attempt) {}

  private static final String OVERDUE =
      """
      SELECT a.job_id, a.id
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.state = 'unknown'
        AND a.unknown_at <= clock_timestamp() - :after_ms * interval '1 millisecond'
        AND j.kind = :kind
        AND j.effect = 'harmless'
        AND j.completed_by IS NULL
      ORDER BY a.unknown_at
      LIMIT :limit
      """;

  /**
   * Attempts of a kind in doubt for at least that long, longest first. Only of jobs that were
   * admitted as harmless, whatever the kind is now.
   */
  public List<Overdue> overdue(String kind, Duration after, int limit) {
    Params params =
        new Params().set("kind", kind).set("after_ms", after.toMillis()).set("limit", limit);
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                OVERDUE,
                params,
                row -> new Overdue(Rows.jobId(row, "job_id"), Rows.attemptId(row, "id"))));
  }

  /**
   * A job that may be raced.
   *
   * @param untried providers of its route that it has not tried, in their order, beginning after
   *     the one at work
   */
  public record Ripe(JobId job, String kind, List<String> route, List<String> untried) {}

  private static final String RIPE =
      """
      SELECT j.id, j.kind, j.route, n.untried
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      CROSS JOIN LATERAL (
        SELECT
          array_agg(r.provider ORDER BY r.place < array_position(j.route, a.provider), r.place)
            AS untried
        FROM unnest(j.route) WITH ORDINALITY AS r (provider, place)
        WHERE NOT EXISTS (
          SELECT FROM onejob.attempt AS t WHERE t.job_id = j.id AND t.provider = r.provider)
      ) AS n
      WHERE a.state = 'running'
        AND a.race_at IS NOT NULL
        AND a.race_at <= clock_timestamp()
        AND j.kind = ANY (:kinds::text[])
        AND j.completed_by IS NULL
        AND j.live = 1
        AND j.starting = 0
        AND j.in_doubt = 0
        AND j.cancel_requested_at IS NULL
        AND NOT j.contested
        AND j.attempts_started < j.attempts_allowed
        AND (j.deadline IS NULL OR j.deadline > clock_timestamp())
        AND n.untried && :providers::text[]
      ORDER BY a.race_at
      LIMIT :limit
      """;

  /**
   * Jobs with one attempt, which has been running for as long as they demand before a race, and
   * with a provider among these that they have not tried; ripe for longest first.
   */
  public List<Ripe> ripe(List<String> kinds, List<String> providers, int limit) {
    Params params =
        new Params()
            .column("kinds", "text", kinds, kind -> kind)
            .column("providers", "text", providers, provider -> provider)
            .set("limit", limit);
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                RIPE,
                params,
                row ->
                    new Ripe(
                        Rows.jobId(row, "id"),
                        Rows.text(row, "kind"),
                        Rows.texts(row, "route"),
                        Rows.texts(row, "untried"))));
  }

  /** An attempt that no worker has fetched, and that none will: its job has its result. */
  public record Unfetched(JobId job, AttemptId attempt) {}

  /**
   * No claim takes an attempt of a job that has its result, and each locks the job as the swap
   * does: what one snapshot shows as decided and not fetched was never fetched.
   */
  private static final String UNFETCHED =
      """
      SELECT a.job_id, a.id
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.node = '(none)' AND a.state = 'starting' AND j.completed_by IS NOT NULL
      LIMIT :limit
      """;

  /** Attempts that were offered to workers, and are no longer. */
  public List<Unfetched> unfetched(int limit) {
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                UNFETCHED,
                new Params().set("limit", limit),
                row -> new Unfetched(Rows.jobId(row, "job_id"), Rows.attemptId(row, "id"))));
  }

  private static final String UNWANTED =
      """
      SELECT a.id
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.id = ANY (:attempts::uuid[])
        AND (j.cancel_requested_at IS NOT NULL
          OR j.completed_by IS NOT NULL
          OR a.ended_at IS NOT NULL)
      """;

  /** Which of these attempts are no longer wanted: their work may be told to stop. */
  public List<AttemptId> unwanted(List<AttemptId> attempts) {
    Params params = new Params().column("attempts", "uuid", attempts, AttemptId::uuid);
    return sql.alone(
        connection -> Sql.query(connection, UNWANTED, params, row -> Rows.attemptId(row, "id")));
  }
}
