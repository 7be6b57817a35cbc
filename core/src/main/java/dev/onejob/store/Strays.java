package dev.onejob.store;

import dev.onejob.domain.JobId;
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
      ORDER BY j.kind, j.id
      LIMIT :limit
      """;

  /** Jobs of these kinds that are due, now or later, at a fallback that is none of these. */
  public List<JobId> astray(List<String> kinds, List<Qualified> qualified, int limit) {
    Params params = params(qualified, limit).column("own_kinds", "text", kinds, kind -> kind);
    return ids(ASTRAY, params);
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
