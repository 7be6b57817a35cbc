package dev.onejob.store;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** Finds what time has done: it only looks; {@link Moves} decides again behind the lock. */
public final class Sweeps {
  private final Sql sql;

  public Sweeps(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * How to look.
   *
   * @param past jobs that are not to be shown
   * @param limit most that are shown
   */
  public record Look(Collection<JobId> past, int limit) {
    Params params() {
      return new Params()
          .column("past", "uuid", List.copyOf(past), JobId::uuid)
          .set("limit", limit);
    }
  }

  private static final String FREE =
      """
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[])
      FOR NO KEY UPDATE SKIP LOCKED
      """;

  /** Which of these jobs are in nobody's hands at the moment. Waits for none. */
  public Set<JobId> free(Collection<JobId> jobs) {
    Params params = new Params().column("jobs", "uuid", List.copyOf(jobs), JobId::uuid);
    return sql.alone(
        connection ->
            Set.copyOf(Sql.query(connection, FREE, params, row -> Rows.jobId(row, "id"))));
  }

  /** Who had an attempt when its lease lapsed. */
  public enum Holder {
    /** A node, which made the call by itself. */
    NODE,
    /** A worker that had fetched it. */
    WORKER,
    /** It was offered to workers by the button, and none took it: nothing was sent. */
    NOBODY,
    /** The same, offered by a race: no person waits for it. */
    NOBODY_IN_A_RACE
  }

  private static final String NOW =
      """
      SELECT clock_timestamp() AS now
      """;

  /** The present moment by the clock of the database, by which leases lapse. */
  public Instant now() {
    return sql.alone(
        connection ->
            Sql.query(connection, NOW, new Params(), row -> Rows.instant(row, "now")).getFirst());
  }

  /** An attempt whose holder has not renewed its lease in time. */
  public record Lapsed(JobId job, AttemptId attempt, UUID token, Holder holder) {}

  /**
   * By an index scan, which marks what it finds to have ended for all that come later: each sweep
   * would read everything anew that has ended since the last vacuum.
   */
  private static final String LAPSED =
      """
      SELECT
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('max_parallel_workers_per_gather', '0', true)
      ;
      SELECT
        a.job_id, a.id, a.lease_token,
        CASE
          WHEN a.node = '(none)' AND a.state = 'starting' AND a.cause = 'race'
            THEN 'NOBODY_IN_A_RACE'
          WHEN a.node = '(none)' AND a.state = 'starting' THEN 'NOBODY'
          WHEN a.claimed_by IS NOT NULL THEN 'WORKER'
          ELSE 'NODE'
        END AS holder
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.state IN ('starting', 'running')
        AND a.lease_until <= :as_of
        AND j.id <> ALL (:past::uuid[])
      ORDER BY a.lease_until
      LIMIT :limit
      """;

  /**
   * Attempts whose lease had lapsed at that moment, longest lapsed first.
   *
   * @param asOf as {@link #now} said it
   */
  public List<Lapsed> lapsed(Instant asOf, Look look) {
    Params params = look.params().set("as_of", asOf);
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                LAPSED,
                params,
                row ->
                    new Lapsed(
                        Rows.jobId(row, "job_id"),
                        Rows.attemptId(row, "id"),
                        Rows.uuid(row, "lease_token"),
                        Holder.valueOf(Rows.text(row, "holder")))));
  }

  private static final String EXPIRED =
      """
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.expires_at IS NOT NULL
        AND j.expires_at <= statement_timestamp()
        AND j.id <> ALL (:past::uuid[])
      ORDER BY j.expires_at
      LIMIT :limit
      """;

  /** Queued jobs whose deadline has passed. */
  public List<JobId> expired(Look look) {
    return sql.alone(
        connection -> Sql.query(connection, EXPIRED, look.params(), row -> Rows.jobId(row, "id")));
  }

  /** An attempt that nobody waits for: its job has its result from another. */
  public record Silent(JobId job, AttemptId attempt) {}

  private static final String SILENT =
      """
      SELECT a.job_id, a.id
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.state = 'unknown'
        AND a.unknown_at <= statement_timestamp() - :bound_ms * interval '1 millisecond'
        AND j.completed_by IS NOT NULL
        AND j.id <> ALL (:past::uuid[])
      ORDER BY a.unknown_at
      LIMIT :limit
      """;

  /** Attempts in doubt for longer than the bound, whose jobs have their results. */
  public List<Silent> silent(Duration bound, Look look) {
    Params params = look.params().set("bound_ms", bound.toMillis());
    return sql.alone(connection -> Sql.query(connection, SILENT, params, Sweeps::silent));
  }

  private static final String UNTAKEN =
      """
      SELECT a.job_id, a.id
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.node = '(none)'
        AND a.state = 'starting'
        AND j.completed_by IS NOT NULL
        AND j.id <> ALL (:past::uuid[])
      LIMIT :limit
      """;

  /** Attempts offered to workers whose jobs have their results: nobody can have them any more. */
  public List<Silent> untaken(Look look) {
    return sql.alone(connection -> Sql.query(connection, UNTAKEN, look.params(), Sweeps::silent));
  }

  private static Silent silent(ResultSet row) throws SQLException {
    return new Silent(Rows.jobId(row, "job_id"), Rows.attemptId(row, "id"));
  }

  /** An attempt that has been in doubt for as long as its kind's rule says. */
  public record Overdue(JobId job, AttemptId attempt) {}

  private static final String OVERDUE =
      """
      SELECT a.job_id, a.id
      FROM onejob.attempt AS a
      JOIN onejob.job AS j ON j.id = a.job_id
      WHERE a.state = 'unknown'
        AND a.unknown_at <= statement_timestamp() - :after_ms * interval '1 millisecond'
        AND j.kind = :kind
        AND j.effect = 'harmless'
        AND j.completed_by IS NULL
        AND j.id <> ALL (:past::uuid[])
      ORDER BY a.unknown_at
      LIMIT :limit
      """;

  /**
   * Attempts of a kind in doubt for at least that long, longest first. Only of jobs that were
   * admitted as harmless, whatever the kind is now.
   */
  public List<Overdue> overdue(String kind, Duration after, Look look) {
    Params params = look.params().set("kind", kind).set("after_ms", after.toMillis());
    return sql.alone(
        connection ->
            Sql.query(
                connection,
                OVERDUE,
                params,
                row -> new Overdue(Rows.jobId(row, "job_id"), Rows.attemptId(row, "id"))));
  }

  /** Where jobs of a kind may be raced now. */
  public record Rival(String kind, String provider) {}

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
        AND a.race_at <= statement_timestamp()
        AND j.completed_by IS NULL
        AND j.live = 1
        AND j.starting = 0
        AND j.in_doubt = 0
        AND j.cancel_requested_at IS NULL
        AND NOT j.contested
        AND (NOT j.contracted OR j.kind = ANY (:contracted::text[]))
        AND j.attempts_started < j.attempts_allowed
        AND (j.deadline IS NULL OR j.deadline > clock_timestamp())
        AND EXISTS (
          SELECT
          FROM unnest(:kinds::text[], :providers::text[]) AS v (kind, provider)
          WHERE v.kind = j.kind AND v.provider = ANY (n.untried))
      ORDER BY a.race_at
      LIMIT :limit
      """;

  /**
   * Jobs with one attempt, which has been running for as long as they demand before a race, and
   * that have not tried one of these rivals; ripe for longest first.
   *
   * @param contracted the kinds whose contracts the node knows
   */
  public List<Ripe> ripe(List<Rival> rivals, Collection<String> contracted, int limit) {
    Params params =
        new Params()
            .column("contracted", "text", List.copyOf(contracted), kind -> kind)
            .column("kinds", "text", rivals, Rival::kind)
            .column("providers", "text", rivals, Rival::provider)
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
