package dev.onejob.store;

import dev.onejob.domain.Answer;
import dev.onejob.domain.JobEvent;
import java.util.List;

/** The swap: results compete for the slot of their jobs. */
final class Settlements {
  private Settlements() {}

  /**
   * DESIGN 4.2 by the columns of the locked row alone: id, version and the empty slot. The state of
   * the attempt is only needed for the counts and is read behind the lock. Zero rows mean: look
   * again.
   */
  private static final String CLAIM_SLOT =
      """
      WITH finished AS (
        SELECT *
        FROM unnest(
            :slot_jobs::uuid[], :slot_attempts::uuid[], :slot_versions::bigint[],
            :slot_formats::text[], :slot_results::bytea[], :slot_digests::text[],
            :slot_sizes::bigint[], :slot_costs::text[])
          AS f (job_id, attempt_id, version, format, result, digest, size, cost)
      ),
      swapped AS (
        UPDATE onejob.job AS j SET
          state = 'succeeded',
          version = j.version + 1,
          completed_by = f.attempt_id,
          live = j.live - 1,
          starting = j.starting - CASE WHEN a.state = 'starting' THEN 1 ELSE 0 END,
          in_doubt = j.in_doubt - CASE WHEN a.state = 'unknown' THEN 1 ELSE 0 END,
          result_format = f.format,
          result = f.result,
          ended_at = clock_timestamp()
        FROM finished AS f
        JOIN onejob.attempt AS a ON a.id = f.attempt_id AND a.job_id = f.job_id
        WHERE j.id = f.job_id
          AND j.version = f.version
          AND j.completed_by IS NULL
          AND a.state IN ('starting', 'running', 'unknown')
        RETURNING
          f.attempt_id, f.digest, f.size, f.cost,
          j.id, j.owner, j.key, j.kind, j.state, j.ended_at, j.webhook
      ),
      told AS (
        INSERT INTO onejob.webhook_delivery (
          webhook_id, owner, event, job_id, job_key, kind, job_state, occurred_at)
        SELECT w.id, s.owner, 'job.ended', s.id, s.key, s.kind, s.state, s.ended_at
        FROM swapped AS s
        JOIN onejob.webhook AS w ON w.owner = s.owner
        WHERE w.disabled_at IS NULL
          AND 'job.ended' = ANY (w.events)
          AND (w.jobs = 'all' OR w.name = s.webhook)
      )
      UPDATE onejob.attempt AS a SET
        state = 'succeeded',
        ending = 'report',
        ended_at = clock_timestamp(),
        lease_token = NULL,
        lease_until = NULL,
        failure_code = NULL,
        failure_message = NULL,
        report_outcome = 'succeeded',
        report_digest = s.digest,
        report_bytes = s.size,
        cost = s.cost
      FROM swapped AS s
      WHERE a.id = s.attempt_id
      RETURNING a.job_id
      """;

  /** The results of several jobs, with their payloads; its rows are those that won. */
  static ShortWay.Part claims(List<MoveRequest> requests, Params params) {
    params
        .column("slot_jobs", "uuid", requests, r -> r.job().uuid())
        .column("slot_attempts", "uuid", requests, r -> finish(r).attempt().uuid())
        .column("slot_versions", "int8", requests, r -> payload(r).jobVersion())
        .column("slot_formats", "text", requests, r -> payload(r).result().format().word())
        .column("slot_results", "bytea", requests, r -> payload(r).result().bytes())
        .column("slot_digests", "text", requests, r -> finish(r).report().digest())
        .column("slot_sizes", "int8", requests, r -> finish(r).report().bytes())
        .column("slot_costs", "text", requests, r -> Texts.cut(payload(r).cost()));
    return new ShortWay.Part(CLAIM_SLOT, row -> new Write.Moved(new Answer.Moved()));
  }

  private static JobEvent.Finish finish(MoveRequest request) {
    return (JobEvent.Finish) request.event();
  }

  private static MoveRequest.Payload payload(MoveRequest request) {
    if (request.details() instanceof MoveRequest.Payload payload) {
      return payload;
    }
    throw new IllegalArgumentException("a finish without a payload: " + request.event());
  }
}
