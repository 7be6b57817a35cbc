package dev.onejob.store;

import dev.onejob.domain.JobId;
import dev.onejob.domain.Owner;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * Finds the jobs that are due, by priority, and within a priority by turns of their owners: each
 * owner that waits gets a place before any gets a second one. It only looks; a start decides.
 */
public final class DueJobs {
  private final Sql sql;

  public DueJobs(DataSource database) {
    this.sql = new Sql(database);
  }

  /** A job that may start by itself, at the provider where it goes on. */
  public record Due(JobId id, Lane lane, Owner owner) {}

  /**
   * Where jobs wait for the same thing.
   *
   * @param provider where the jobs go on: the first of their route, or a fallback
   */
  public record Lane(String kind, String provider, int priority) {}

  /** The owner of a lane who was served last. */
  public record Turn(Lane lane, Owner owner) {}

  /** Whose turn it is, as those who look keep it from one look to the next. */
  public interface Rota {
    /** The owners who were served last, at most one for each lane. */
    Collection<Turn> turns();

    /** A job was taken. */
    void served(Due due);
  }

  /**
   * What to look for.
   *
   * @param kinds and providers that have room; every pair of them is looked for
   * @param turns where the owners' turns go on; a lane without one begins at the first owner
   * @param leftOut jobs that are on their way already
   * @param limit most jobs to be shown
   */
  public record Look(
      List<String> kinds,
      List<String> providers,
      Collection<Turn> turns,
      Collection<JobId> leftOut,
      int limit) {}

  /**
   * Lanes, then the priorities in each, then the owners in each, are found by one step of the index
   * for each of them. The walk over the owners begins after the one who was served last and goes
   * round once, past those who have nothing that is due: these are passed within the index, which
   * PostgreSQL 18 skips from owner to owner. It ends as soon as there are enough. Each owner shows
   * an equal share of the limit, and the places go round by turns.
   */
  private static final String DUE =
      """
      SELECT
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)
      ;
      WITH RECURSIVE level (kind, provider, rank) AS (
        SELECT k.kind, p.provider, f.rank
        FROM unnest(:kinds::text[]) AS k (kind)
        CROSS JOIN unnest(:providers::text[]) AS p (provider)
        CROSS JOIN LATERAL (
          SELECT -j.priority AS rank
          FROM onejob.job AS j
          WHERE j.run_at IS NOT NULL AND j.kind = k.kind
            AND coalesce(j.goes_on_at, j.route[1]) = p.provider
          ORDER BY -j.priority
          LIMIT 1) AS f
        UNION ALL
        SELECT v.kind, v.provider, n.rank
        FROM level AS v
        CROSS JOIN LATERAL (
          SELECT -j.priority AS rank
          FROM onejob.job AS j
          WHERE j.run_at IS NOT NULL AND j.kind = v.kind
            AND coalesce(j.goes_on_at, j.route[1]) = v.provider
            AND -j.priority > v.rank
          ORDER BY -j.priority
          LIMIT 1) AS n
      ),
      walk (kind, provider, rank, began, owner, step, round) AS (
        SELECT
          v.kind, v.provider, v.rank,
          coalesce(t.owner, '') COLLATE "C", coalesce(t.owner, '') COLLATE "C",
          0, false
        FROM level AS v
        LEFT JOIN unnest(
            :turn_kinds::text[], :turn_providers::text[], :turn_ranks::int[], :turn_owners::text[])
          AS t (kind, provider, rank, owner)
          ON t.kind = v.kind AND t.provider = v.provider AND t.rank = v.rank
        UNION ALL
        SELECT
          w.kind, w.provider, w.rank, w.began, n.owner, w.step + 1, n.round
        FROM walk AS w
        CROSS JOIN LATERAL (
          SELECT a.owner, a.round
          FROM (
            (SELECT j.owner, false AS round
             FROM onejob.job AS j
             WHERE j.run_at <= statement_timestamp() AND j.kind = w.kind
               AND coalesce(j.goes_on_at, j.route[1]) = w.provider
               AND -j.priority = w.rank AND NOT w.round AND j.owner > w.owner
               AND j.id <> ALL (:left_out::uuid[])
             ORDER BY j.owner, j.run_at
             LIMIT 1)
            UNION ALL
            (SELECT j.owner, true
             FROM onejob.job AS j
             WHERE j.run_at <= statement_timestamp() AND j.kind = w.kind
               AND coalesce(j.goes_on_at, j.route[1]) = w.provider
               AND -j.priority = w.rank AND j.owner <= w.began
               AND j.owner > CASE WHEN w.round THEN w.owner ELSE '' END
               AND j.id <> ALL (:left_out::uuid[])
             ORDER BY j.owner, j.run_at
             LIMIT 1)) AS a
          LIMIT 1) AS n
        WHERE w.step < :limit
      ),
      turn AS (
        SELECT
          w.kind, w.provider, w.rank, w.owner, w.step,
          ceil(:limit::numeric / count(*) OVER (PARTITION BY w.kind, w.provider, w.rank))::bigint
            AS share
        FROM walk AS w
        WHERE w.step > 0
      )
      SELECT h.id, t.kind, t.provider, -t.rank AS priority, t.owner
      FROM turn AS t
      CROSS JOIN LATERAL (
        SELECT j.id, row_number() OVER (ORDER BY j.run_at) AS place
        FROM onejob.job AS j
        WHERE j.run_at IS NOT NULL AND j.kind = t.kind
          AND coalesce(j.goes_on_at, j.route[1]) = t.provider
          AND -j.priority = t.rank AND j.owner = t.owner
          AND j.run_at <= statement_timestamp()
          AND j.id <> ALL (:left_out::uuid[])
        ORDER BY j.run_at
        LIMIT t.share) AS h
      ORDER BY t.rank, h.place, t.step
      LIMIT :limit
      """;

  /** What is due, the first to start first. */
  public List<Due> find(Look look) {
    return sql.alone(connection -> find(connection, look));
  }

  /** The same, in the transaction of whoever takes what is found. */
  static List<Due> find(Connection connection, Look look) throws SQLException {
    List<Turn> turns = List.copyOf(look.turns());
    Params params =
        new Params()
            .column("kinds", "text", look.kinds(), kind -> kind)
            .column("providers", "text", look.providers(), provider -> provider)
            .column("turn_kinds", "text", turns, turn -> turn.lane().kind())
            .column("turn_providers", "text", turns, turn -> turn.lane().provider())
            .column("turn_ranks", "int4", turns, turn -> -turn.lane().priority())
            .column("turn_owners", "text", turns, turn -> turn.owner().value())
            .column("left_out", "uuid", List.copyOf(look.leftOut()), JobId::uuid)
            .set("limit", look.limit());
    return Sql.query(connection, DUE, params, DueJobs::due);
  }

  /** Each owner is asked for by itself: what others have waiting is not read, and hides nothing. */
  private static final String DUE_OF_OWNERS =
      """
      SELECT
        set_config('enable_seqscan', 'off', true),
        set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)
      ;
      WITH RECURSIVE level (kind, provider, rank) AS (
        SELECT k.kind, p.provider, f.rank
        FROM unnest(:kinds::text[]) AS k (kind)
        CROSS JOIN unnest(:providers::text[]) AS p (provider)
        CROSS JOIN LATERAL (
          SELECT -j.priority AS rank
          FROM onejob.job AS j
          WHERE j.run_at IS NOT NULL AND j.kind = k.kind
            AND coalesce(j.goes_on_at, j.route[1]) = p.provider
          ORDER BY -j.priority
          LIMIT 1) AS f
        UNION ALL
        SELECT v.kind, v.provider, n.rank
        FROM level AS v
        CROSS JOIN LATERAL (
          SELECT -j.priority AS rank
          FROM onejob.job AS j
          WHERE j.run_at IS NOT NULL AND j.kind = v.kind
            AND coalesce(j.goes_on_at, j.route[1]) = v.provider
            AND -j.priority > v.rank
          ORDER BY -j.priority
          LIMIT 1) AS n
      )
      SELECT h.id, h.kind, h.provider, -h.rank AS priority, o.owner
      FROM unnest(:owners::text[]) AS o (owner)
      CROSS JOIN LATERAL (
        SELECT f.id, v.kind, v.provider, v.rank, f.run_at
        FROM level AS v
        CROSS JOIN LATERAL (
          SELECT j.id, j.run_at
          FROM onejob.job AS j
          WHERE j.run_at IS NOT NULL AND j.kind = v.kind
            AND coalesce(j.goes_on_at, j.route[1]) = v.provider
            AND -j.priority = v.rank AND j.owner = o.owner
            AND j.run_at <= statement_timestamp()
            AND j.id <> ALL (:left_out::uuid[])
          ORDER BY j.run_at
          LIMIT :limit) AS f
        ORDER BY v.rank, f.run_at
        LIMIT :limit) AS h
      ORDER BY h.rank, h.run_at
      """;

  /**
   * What is due of these owners alone, the first to start first.
   *
   * @param look its turns are not heeded, and its limit is that of each owner
   */
  public List<Due> findOf(Collection<Owner> owners, Look look) {
    return sql.alone(connection -> findOf(connection, owners, look));
  }

  /** The same, in the transaction of whoever takes what is found. */
  static List<Due> findOf(Connection connection, Collection<Owner> owners, Look look)
      throws SQLException {
    Params params =
        new Params()
            .column("owners", "text", List.copyOf(owners), Owner::value)
            .column("kinds", "text", look.kinds(), kind -> kind)
            .column("providers", "text", look.providers(), provider -> provider)
            .column("left_out", "uuid", List.copyOf(look.leftOut()), JobId::uuid)
            .set("limit", look.limit());
    return Sql.query(connection, DUE_OF_OWNERS, params, DueJobs::due);
  }

  private static Due due(ResultSet row) throws SQLException {
    return new Due(
        Rows.jobId(row, "id"),
        new Lane(Rows.text(row, "kind"), Rows.text(row, "provider"), row.getInt("priority")),
        new Owner(Rows.text(row, "owner")));
  }
}
