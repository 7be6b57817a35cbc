-- Racing by timer, and what is counted for the cost of a job.

-- A start has a third cause: the timer of a race. All else is as it was.
CREATE OR REPLACE FUNCTION onejob.attempt_keeps_rules(
  number integer, provider_chars integer, cause text, provider_key_chars integer, state text,
  job_version bigint, node_chars integer, lease_token uuid, lease_until timestamptz,
  provider_ref_chars integer, unknown_at timestamptz, ended_at timestamptz, ending text,
  failure_code_chars integer, failure_message_chars integer, report_outcome text,
  report_digest_chars integer, report_bytes bigint, lost_to uuid, cost_chars integer,
  claimed_by uuid, worker_chars integer, claim_request_chars integer, claim_place smallint,
  claim_token uuid, lease_ms bigint, timeout_at timestamptz)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $function$
DECLARE
  broken CONSTANT text := CASE
    WHEN NOT (
      state IN ('starting', 'running', 'unknown', 'succeeded', 'failed', 'cancelled', 'lost'))
      THEN 'attempt_state'
    WHEN NOT (
      (lease_until IS NOT NULL) = (state IN ('starting', 'running'))
      AND (lease_token IS NOT NULL) = (lease_until IS NOT NULL)) THEN 'attempt_lease'
    WHEN NOT (
      (ended_at IS NOT NULL) = (state IN ('succeeded', 'failed', 'cancelled', 'lost'))
      AND (ending IS NOT NULL) = (ended_at IS NOT NULL)
      AND (ending IS NULL OR ending IN ('report', 'decision', 'silence'))) THEN 'attempt_ended'
    WHEN state = 'unknown' AND unknown_at IS NULL THEN 'attempt_unknown'
    WHEN NOT ((lost_to IS NOT NULL) = (state = 'lost')) THEN 'attempt_lost'
    WHEN NOT (
      (report_outcome IS NULL) = (report_digest_chars IS NULL)
      AND (report_outcome IS NULL) = (report_bytes IS NULL)
      AND (report_outcome IS NULL OR (
        ended_at IS NOT NULL
        AND report_outcome IN ('succeeded', 'failed', 'stopped')
        AND report_digest_chars = 64
        AND report_bytes >= 0))) THEN 'attempt_report'
    WHEN NOT (
      (failure_code_chars IS NULL OR failure_code_chars BETWEEN 1 AND 64)
      AND (failure_message_chars IS NULL OR failure_message_chars <= 4096)) THEN 'attempt_failure'
    WHEN NOT (
      (claimed_by IS NULL) = (worker_chars IS NULL)
      AND (claimed_by IS NULL) = (claim_request_chars IS NULL)
      AND (claimed_by IS NULL) = (claim_place IS NULL)
      AND (claimed_by IS NULL) = (claim_token IS NULL)
      AND (claimed_by IS NULL) = (lease_ms IS NULL)
      AND (claimed_by IS NULL) = (timeout_at IS NULL)
      AND (claimed_by IS NULL OR (
        worker_chars BETWEEN 1 AND 128
        AND claim_request_chars BETWEEN 1 AND 128
        AND claim_place >= 1
        AND lease_ms >= 1))) THEN 'attempt_claim'
    WHEN NOT (
      number >= 1
      AND provider_chars BETWEEN 1 AND 64
      AND cause IN ('dispatch', 'button', 'race')
      AND provider_key_chars BETWEEN 1 AND 255
      AND job_version >= 0
      AND node_chars BETWEEN 1 AND 128
      AND (provider_ref_chars IS NULL OR provider_ref_chars <= 512)
      AND (cost_chars IS NULL OR cost_chars <= 4096)) THEN 'attempt_start'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = format('new row for relation "attempt" violates check constraint "%s"', broken),
      SCHEMA = 'onejob', TABLE = 'attempt', CONSTRAINT = broken;
  END IF;
  RETURN true;
END
$function$;

-- From when a second attempt may start beside this one. Set once, with the state running, and only
-- for kinds that race; the index has an entry for nothing else. A renewal of the lease touches neither.
ALTER TABLE onejob.attempt ADD COLUMN race_at timestamptz;

UPDATE onejob.attempt AS a SET
  race_at = a.started_at + j.race_after_ms * interval '1 millisecond'
FROM onejob.job AS j
WHERE j.id = a.job_id AND a.state = 'running' AND j.race_after_ms IS NOT NULL;

CREATE INDEX attempt_racing ON onejob.attempt (race_at)
  WHERE state = 'running' AND race_at IS NOT NULL;

-- How often a job was asked for again. A table of its own: a count needs no lock on the job, and no
-- new version of its row. Nodes add what they have counted in one statement every few seconds.
CREATE TABLE onejob.job_repeat (
  job_id  uuid   PRIMARY KEY REFERENCES onejob.job (id) ON DELETE CASCADE,
  repeats bigint NOT NULL CHECK (repeats >= 1)
);
