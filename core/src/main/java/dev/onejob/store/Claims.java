package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Taking jobs: the start of attempts. */
public final class Claims {
  private final Sql sql;

  public Claims(DataSource database) {
    this.sql = new Sql(database);
  }

  /**
   * The guard of DESIGN 4.1 for a job without a live attempt, by the columns of the locked row
   * alone. Zero rows mean: look again. Whatever this does not cover, a race above all, goes the
   * long way.
   */
  private static final String START =
      """
      SELECT
        set_config('lock_timeout', '250ms', true),
        set_config('enable_seqscan', 'off', true),
        set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)
      ;
      SELECT j.id
      FROM onejob.job AS j
      WHERE j.id = ANY (:jobs::uuid[])
      ORDER BY j.id
      FOR NO KEY UPDATE
      ;
      WITH wanted AS (
        SELECT *
        FROM unnest(
            :jobs::uuid[], :attempts::uuid[], :providers::text[], :causes::text[], :nodes::text[],
            :lease_tokens::uuid[], :lease_ms::bigint[])
          AS w (job_id, attempt_id, provider, cause, node, lease_token, lease_ms)
      ),
      started AS (
        UPDATE onejob.job AS j SET
          state = 'running',
          waiting_for = NULL,
          live = 1,
          starting = 1,
          attempts_started = j.attempts_started + 1,
          run_at = NULL,
          expires_at = NULL
        FROM wanted AS w
        WHERE j.id = w.job_id
          AND j.state = 'queued'
          AND j.completed_by IS NULL
          AND j.cancel_requested_at IS NULL
          AND NOT j.contested
          AND j.live = 0 AND j.starting = 0 AND j.in_doubt = 0
          AND j.attempts_started < j.attempts_allowed
          AND (j.deadline IS NULL OR j.deadline > clock_timestamp())
          AND w.provider = ANY (j.route)
          AND (w.cause = 'button'
            OR (j.run_at <= clock_timestamp() AND w.provider = j.route[1]))
        RETURNING
          j.id, j.owner, j.key, j.attempts_started AS number, j.version, w.attempt_id,
          w.provider, w.cause, w.node, w.lease_token, w.lease_ms
      )
      INSERT INTO onejob.attempt (
        id, job_id, owner, number, provider, cause, provider_key, state, job_version, node,
        lease_token, lease_until)
      SELECT
        s.attempt_id, s.id, s.owner, s.number, s.provider, s.cause,
        'oj_' || encode(sha256(convert_to(concat_ws(
          E'\\n', 'onejob-provider-key-v1', s.owner, s.key, s.provider, s.number), 'UTF8')), 'hex'),
        'starting', s.version, s.node, s.lease_token,
        clock_timestamp() + s.lease_ms * interval '1 millisecond'
      FROM started AS s
      RETURNING id, number, job_version
      """;

  /**
   * Starts attempts of several jobs, at most one of each job, in one transaction.
   *
   * @param requests starts with their departures
   * @return for each, in their order, the start; empty where the short way does not say yes: then
   *     {@link Moves#move} looks again and decides
   * @throws StoreException.LockTimeout if another transaction holds one of the jobs; nothing was
   *     done
   */
  public List<Optional<Answer>> start(List<MoveRequest> requests) {
    Params params =
        new Params()
            .column("jobs", "uuid", requests, r -> r.job().uuid())
            .column("attempts", "uuid", requests, r -> start(r).attempt().uuid())
            .column("providers", "text", requests, r -> start(r).provider())
            .column("causes", "text", requests, r -> start(r).cause().word())
            .column("nodes", "text", requests, r -> departure(r).node())
            .column("lease_tokens", "uuid", requests, r -> departure(r).leaseToken())
            .column("lease_ms", "int8", requests, r -> departure(r).leaseMillis());
    Map<AttemptId, Answer> started = new HashMap<>();
    for (Answer.Started one :
        sql.alone(connection -> Sql.query(connection, START, params, Claims::started))) {
      started.put(one.attempt(), one);
    }
    return requests.stream()
        .map(r -> Optional.ofNullable(started.get(start(r).attempt())))
        .toList();
  }

  private static Answer.Started started(ResultSet row) throws SQLException {
    return new Answer.Started(
        Rows.attemptId(row, "id"), row.getInt("number"), row.getLong("job_version"));
  }

  private static JobEvent.Start start(MoveRequest request) {
    return (JobEvent.Start) request.event();
  }

  private static MoveRequest.Departure departure(MoveRequest request) {
    if (request.details() instanceof MoveRequest.Departure departure) {
      return departure;
    }
    throw new IllegalArgumentException("a start without a departure: " + request.event());
  }
}
