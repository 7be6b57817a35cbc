package dev.onejob.store;

import dev.onejob.domain.JobId;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Finds queued jobs whose way has changed. It only looks; a move decides. */
public final class Strays {
  private final Sql sql;

  public Strays(DataSource database) {
    this.sql = new Sql(database);
  }

  /** A provider that holds a valid qualification for a kind. */
  public record Qualified(String kind, String provider) {}

  private static final String WAITING =
      """
      SELECT set_config('enable_seqscan', 'off', true)
      ;
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.waiting_for = 'qualification'
        AND j.kind = ANY (:kinds::text[])
        AND EXISTS (
          SELECT
          FROM unnest(:kinds::text[], :providers::text[]) AS q (kind, provider)
          WHERE q.kind = j.kind
            AND q.provider = ANY (j.route)
            AND (j.given_up IS NULL OR q.provider <> ALL (j.given_up)))
      ORDER BY j.kind, j.id
      LIMIT :limit
      """;

  /** Jobs that wait for a qualification, and for which one of these would do. */
  public List<JobId> waiting(List<Qualified> qualified, int limit) {
    return ids(WAITING, params(qualified, limit));
  }

  private static final String ASTRAY =
      """
      SELECT set_config('enable_seqscan', 'off', true)
      ;
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.run_at IS NOT NULL
        AND j.goes_on_at IS NOT NULL
        AND j.kind = ANY (:own_kinds::text[])
        AND NOT EXISTS (
          SELECT
          FROM unnest(:kinds::text[], :providers::text[]) AS q (kind, provider)
          WHERE q.kind = j.kind AND q.provider = j.goes_on_at)
        AND (
          j.run_at <= clock_timestamp() - :grace_ms * interval '1 millisecond'
          OR (
            (NOT j.contracted OR j.kind = ANY (:contracted::text[]))
            AND NOT EXISTS (
              SELECT
              FROM onejob.qualification AS p
              WHERE p.kind = j.kind AND p.provider = j.goes_on_at
                AND p.withdrawn_at IS NULL AND p.valid_until > clock_timestamp())))
      ORDER BY j.kind, j.id
      LIMIT :limit
      """;

  /** How long a job that another node may start is left to it. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  /**
   * Jobs of these kinds that are due, now or later, at a fallback that is none of these. Where
   * another node may see it otherwise, since the provider holds a valid pass under other settings
   * or the contract is not known here, only once they have been overdue for a while.
   *
   * @param contracted the kinds whose contracts the node knows
   */
  public List<JobId> astray(
      List<String> kinds, List<String> contracted, List<Qualified> qualified, int limit) {
    Params params =
        params(qualified, limit)
            .column("own_kinds", "text", kinds, kind -> kind)
            .column("contracted", "text", contracted, kind -> kind)
            .set("grace_ms", GRACE.toMillis());
    return ids(ASTRAY, params);
  }

  private static final String BLOCKED =
      """
      SELECT set_config('enable_seqscan', 'off', true)
      ;
      SELECT b.id
      FROM unnest(:own_kinds::text[]) AS k (kind)
      CROSS JOIN unnest(:shut::text[]) AS s (provider)
      CROSS JOIN LATERAL (
        SELECT j.id
        FROM onejob.job AS j
        WHERE j.run_at IS NOT NULL
          AND j.run_at <= statement_timestamp()
          AND j.kind = k.kind
          AND coalesce(j.goes_on_at, j.route[1]) = s.provider
          AND (
            (j.route[1] <> ALL (:shut::text[])
              AND (j.given_up IS NULL OR j.route[1] <> ALL (j.given_up)))
            OR EXISTS (
              SELECT
              FROM unnest(:kinds::text[], :providers::text[]) AS q (kind, provider)
              WHERE q.kind = j.kind
                AND q.provider = ANY (j.route)
                AND q.provider <> ALL (:shut::text[])
                AND (j.given_up IS NULL OR q.provider <> ALL (j.given_up))))
        ORDER BY (-j.priority), j.owner, j.run_at
        LIMIT :limit) AS b
      """;

  /**
   * Jobs of these kinds that are due at a provider which is not to be asked, while another that is
   * left to them may be: the first of their route, which needs no proof, or a qualified one. Each
   * kind at each such provider is looked through in the order of its index, up to the limit.
   *
   * @param kinds those for which there may be another; every due job of a kind without one would be
   *     looked at in vain
   * @param shut providers that are not to be asked
   * @param limit of each kind at each of them
   */
  public List<JobId> blocked(
      List<String> kinds, List<String> shut, List<Qualified> qualified, int limit) {
    Params params =
        params(qualified, limit)
            .column("own_kinds", "text", kinds, kind -> kind)
            .column("shut", "text", shut, provider -> provider);
    return ids(BLOCKED, params);
  }

  private static Params params(List<Qualified> qualified, int limit) {
    return new Params()
        .column("kinds", "text", qualified, Qualified::kind)
        .column("providers", "text", qualified, Qualified::provider)
        .set("limit", limit);
  }

  private List<JobId> ids(String text, Params params) {
    return sql.alone(
        connection -> Sql.query(connection, text, params, row -> Rows.jobId(row, "id")));
  }
}
