package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobEvent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Taking jobs: the start of attempts. */
final class Claims {
  private Claims() {}

  /**
   * The guard of DESIGN 4.1 for a job without a live attempt, by the columns of the locked row
   * alone. Zero rows mean: look again. Whatever this does not cover, a race above all, goes the
   * long way, and so does whatever needs a look at more than the row: a start at a fallback, which
   * may need a qualification, and the trial of an open circuit.
   */
  private static final String START =
      """
      WITH wanted AS (
        SELECT *
        FROM unnest(
            :start_jobs::uuid[], :start_attempts::uuid[], :start_providers::text[],
            :start_causes::text[], :start_nodes::text[], :start_lease_tokens::uuid[],
            :start_lease_ms::bigint[])
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
          AND w.cause <> 'race'
          AND (NOT j.contracted OR j.kind = ANY (:start_contracted::text[]))
          AND j.completed_by IS NULL
          AND j.cancel_requested_at IS NULL
          AND NOT j.contested
          AND j.live = 0 AND j.starting = 0 AND j.in_doubt = 0
          AND j.attempts_started < j.attempts_allowed
          AND (j.deadline IS NULL OR j.deadline > clock_timestamp())
          AND w.provider = ANY (j.route)
          AND w.provider = j.route[1]
          AND (w.cause = 'button'
            OR (j.run_at <= clock_timestamp()
              AND coalesce(j.goes_on_at, j.route[1]) = w.provider
              AND NOT EXISTS (
                SELECT FROM onejob.circuit AS c
                WHERE c.provider = w.provider AND c.opened_at IS NOT NULL)))
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
      RETURNING id, number, job_version, job_id
      """;

  /**
   * The same guard for jobs that were just found due, by dispatch at the first provider of their
   * route. What somebody else holds at the moment, or has taken since, is let be: nobody waits.
   *
   * <p>Nothing in it implies the predicate of the index of due jobs, which is empty in quiet times:
   * a plan made then would read a whole backlog later. Rows are found by their ids.
   */
  private static final String TAKE =
      """
      WITH held AS (
        SELECT j.id
        FROM onejob.job AS j
        WHERE j.id = ANY (:start_jobs::uuid[]) AND j.state = 'queued'
        ORDER BY j.id
        FOR NO KEY UPDATE SKIP LOCKED
      ),
      wanted AS (
        SELECT *
        FROM unnest(
            :start_jobs::uuid[], :start_attempts::uuid[], :start_providers::text[],
            :start_causes::text[], :start_nodes::text[], :start_lease_tokens::uuid[],
            :start_lease_ms::bigint[])
          AS w (job_id, attempt_id, provider, cause, node, lease_token, lease_ms)
        WHERE w.job_id = ANY (ARRAY (SELECT h.id FROM held AS h))
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
          AND w.cause = 'dispatch'
          AND (NOT j.contracted OR j.kind = ANY (:start_contracted::text[]))
          AND j.completed_by IS NULL
          AND j.cancel_requested_at IS NULL
          AND NOT j.contested
          AND j.live = 0 AND j.starting = 0 AND j.in_doubt = 0
          AND j.attempts_started < j.attempts_allowed
          AND (j.deadline IS NULL OR j.deadline > clock_timestamp())
          AND w.provider = j.route[1]
          AND coalesce(j.run_at, 'infinity') <= clock_timestamp()
          AND coalesce(j.goes_on_at, j.route[1]) = w.provider
          AND NOT EXISTS (
            SELECT FROM onejob.circuit AS c
            WHERE c.provider = w.provider AND c.opened_at IS NOT NULL)
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
      RETURNING id, number, job_version, job_id
      """;

  /** As {@link #starts}, of jobs that were found due. */
  static ShortWay.Part takes(List<MoveRequest> requests, List<String> contracted, Params params) {
    starts(requests, contracted, params);
    return new ShortWay.Part(TAKE, row -> new Write.Moved(started(row)));
  }

  /** The starts of several jobs, with their departures; its rows are those that it made. */
  static ShortWay.Part starts(List<MoveRequest> requests, List<String> contracted, Params params) {
    params
        .column("start_contracted", "text", contracted, kind -> kind)
        .column("start_jobs", "uuid", requests, r -> r.job().uuid())
        .column("start_attempts", "uuid", requests, r -> start(r).attempt().uuid())
        .column("start_providers", "text", requests, r -> start(r).provider())
        .column("start_causes", "text", requests, r -> start(r).cause().word())
        .column("start_nodes", "text", requests, r -> departure(r).node())
        .column("start_lease_tokens", "uuid", requests, r -> departure(r).leaseToken())
        .column("start_lease_ms", "int8", requests, r -> departure(r).leaseMillis());
    return new ShortWay.Part(START, row -> new Write.Moved(started(row)));
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
