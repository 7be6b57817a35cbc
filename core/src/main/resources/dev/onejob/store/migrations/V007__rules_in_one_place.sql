-- The CHECKs of jobs and attempts, each table's in one function. PostgreSQL reads and prepares every CHECK
-- anew for every statement that writes; the expression in a PL/pgSQL function it keeps for the session.
-- The rules are the same, and so are the names under which a row is refused. As with a CHECK, what is
-- null breaks no rule.
--
-- The functions take sizes, not values: a large input or result is not read for its length.

CREATE FUNCTION onejob.job_keeps_rules(
  owner_bytes integer, key text, kind_chars integer, effect text, fingerprint_bytes integer,
  input_bytes integer, providers integer, priority smallint, tags integer,
  state text, waiting_for text, version bigint, completed_by uuid, live smallint, starting smallint,
  in_doubt smallint, attempts_started integer, attempts_allowed integer, run_at timestamptz,
  deadline timestamptz, expires_at timestamptz, cancel_requested_at timestamptz, contested boolean,
  failure_code text, failure_message text, race_after_ms bigint, when_unqualified text,
  result_format text, result_bytes integer, ended_at timestamptz, at_desk_since timestamptz,
  payload_emptied_at timestamptz)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $function$
DECLARE
  broken CONSTANT text := CASE
    WHEN NOT (
      starting + in_doubt <= live
      AND live <= attempts_started
      AND attempts_started BETWEEN 0 AND attempts_allowed
      AND live BETWEEN 0 AND 2
      AND starting BETWEEN 0 AND 1
      AND in_doubt >= 0
      AND attempts_allowed >= 1
      AND version >= 0) THEN 'job_counts'
    WHEN NOT (
      CASE state
        WHEN 'succeeded' THEN completed_by IS NOT NULL
        WHEN 'unknown'   THEN completed_by IS NULL AND in_doubt > 0
        WHEN 'running'   THEN completed_by IS NULL AND in_doubt = 0 AND live > 0
        WHEN 'cancelled' THEN completed_by IS NULL AND live = 0 AND cancel_requested_at IS NOT NULL
        WHEN 'failed'    THEN completed_by IS NULL AND live = 0
        WHEN 'queued'    THEN completed_by IS NULL AND live = 0 AND cancel_requested_at IS NULL
                              AND attempts_started < attempts_allowed
        ELSE false
      END) THEN 'job_state'
    WHEN NOT (
      waiting_for IS NULL
      OR (state = 'queued' AND waiting_for IN ('qualification', 'decision'))) THEN 'job_waiting'
    WHEN NOT ((run_at IS NOT NULL) = (state = 'queued' AND waiting_for IS NULL)) THEN 'job_due'
    WHEN NOT (
      CASE WHEN state = 'queued' THEN expires_at IS NOT DISTINCT FROM deadline
           ELSE expires_at IS NULL END) THEN 'job_expires'
    WHEN contested AND run_at IS NOT NULL THEN 'job_contested'
    WHEN NOT (
      (failure_code IS NOT NULL) = (state = 'failed')
      AND (failure_message IS NOT NULL) = (state = 'failed')
      AND (failure_code IS NULL OR char_length(failure_code) BETWEEN 1 AND 64)
      AND (failure_message IS NULL OR char_length(failure_message) <= 4096)) THEN 'job_failure'
    WHEN NOT (
      (result_format IS NOT NULL) = (state = 'succeeded')
      AND (result_format IS NULL OR result_format IN ('json', 'text'))
      AND (result_bytes IS NULL OR (state = 'succeeded' AND result_bytes <= 4194304)))
      THEN 'job_result'
    WHEN NOT (
      (ended_at IS NOT NULL) = (state IN ('succeeded', 'failed', 'cancelled'))) THEN 'job_ended'
    WHEN NOT (
      race_after_ms IS NULL OR (race_after_ms >= 0 AND effect = 'harmless')) THEN 'job_race'
    WHEN at_desk_since IS NULL
      AND (contested OR coalesce(waiting_for = 'decision', false)) THEN 'job_desk'
    WHEN NOT (
      CASE WHEN payload_emptied_at IS NULL THEN input_bytes IS NOT NULL
           ELSE input_bytes IS NULL AND result_bytes IS NULL AND ended_at IS NOT NULL AND live = 0
      END) THEN 'job_emptied'
    WHEN NOT (
      owner_bytes BETWEEN 1 AND 128
      AND octet_length(key) BETWEEN 1 AND 255
      AND key ~ '^[!-~]*$'
      AND kind_chars BETWEEN 1 AND 64
      AND effect IN ('exclusive', 'keyed', 'harmless')
      AND fingerprint_bytes = 32
      AND (input_bytes IS NULL OR input_bytes <= 1048576)
      AND providers BETWEEN 1 AND 8
      AND priority BETWEEN -100 AND 100
      AND tags <= 16
      AND when_unqualified IN ('wait', 'fail')) THEN 'job_intent'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = format('new row for relation "job" violates check constraint "%s"', broken),
      SCHEMA = 'onejob', TABLE = 'job', CONSTRAINT = broken;
  END IF;
  RETURN true;
END
$function$;

ALTER TABLE onejob.job
  DROP CONSTRAINT job_owner_check,
  DROP CONSTRAINT job_key_check,
  DROP CONSTRAINT job_kind_check,
  DROP CONSTRAINT job_effect_check,
  DROP CONSTRAINT job_fingerprint_check,
  DROP CONSTRAINT job_input_check,
  DROP CONSTRAINT job_route_check,
  DROP CONSTRAINT job_priority_check,
  DROP CONSTRAINT job_tags_check,
  DROP CONSTRAINT job_waiting_for_check,
  DROP CONSTRAINT job_version_check,
  DROP CONSTRAINT job_live_check,
  DROP CONSTRAINT job_starting_check,
  DROP CONSTRAINT job_in_doubt_check,
  DROP CONSTRAINT job_attempts_allowed_check,
  DROP CONSTRAINT job_failure_code_check,
  DROP CONSTRAINT job_failure_message_check,
  DROP CONSTRAINT job_race_after_ms_check,
  DROP CONSTRAINT job_when_unqualified_check,
  DROP CONSTRAINT job_result_format_check,
  DROP CONSTRAINT job_result_check,
  DROP CONSTRAINT job_counts,
  DROP CONSTRAINT job_state,
  DROP CONSTRAINT job_waiting,
  DROP CONSTRAINT job_due,
  DROP CONSTRAINT job_expires,
  DROP CONSTRAINT job_contested,
  DROP CONSTRAINT job_failure,
  DROP CONSTRAINT job_result,
  DROP CONSTRAINT job_ended,
  DROP CONSTRAINT job_race,
  DROP CONSTRAINT job_desk,
  DROP CONSTRAINT job_emptied,
  ADD CONSTRAINT job_rules CHECK (onejob.job_keeps_rules(
    octet_length(owner), key, char_length(kind), effect, octet_length(fingerprint),
    octet_length(input), cardinality(route), priority, cardinality(tags),
    state, waiting_for, version, completed_by, live, starting,
    in_doubt, attempts_started, attempts_allowed, run_at,
    deadline, expires_at, cancel_requested_at, contested,
    failure_code, failure_message, race_after_ms, when_unqualified,
    result_format, octet_length(result), ended_at, at_desk_since,
    payload_emptied_at));

CREATE FUNCTION onejob.attempt_keeps_rules(
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
      AND cause IN ('dispatch', 'button')
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

ALTER TABLE onejob.attempt
  DROP CONSTRAINT attempt_number_check,
  DROP CONSTRAINT attempt_provider_check,
  DROP CONSTRAINT attempt_cause_check,
  DROP CONSTRAINT attempt_provider_key_check,
  DROP CONSTRAINT attempt_job_version_check,
  DROP CONSTRAINT attempt_node_check,
  DROP CONSTRAINT attempt_provider_ref_check,
  DROP CONSTRAINT attempt_ending_check,
  DROP CONSTRAINT attempt_failure_code_check,
  DROP CONSTRAINT attempt_failure_message_check,
  DROP CONSTRAINT attempt_report_outcome_check,
  DROP CONSTRAINT attempt_report_digest_check,
  DROP CONSTRAINT attempt_report_bytes_check,
  DROP CONSTRAINT attempt_cost_check,
  DROP CONSTRAINT attempt_worker_check,
  DROP CONSTRAINT attempt_claim_request_check,
  DROP CONSTRAINT attempt_claim_place_check,
  DROP CONSTRAINT attempt_lease_ms_check,
  DROP CONSTRAINT attempt_state,
  DROP CONSTRAINT attempt_lease,
  DROP CONSTRAINT attempt_ended,
  DROP CONSTRAINT attempt_unknown,
  DROP CONSTRAINT attempt_lost,
  DROP CONSTRAINT attempt_report,
  DROP CONSTRAINT attempt_claim,
  ADD CONSTRAINT attempt_rules CHECK (onejob.attempt_keeps_rules(
    number, char_length(provider), cause, char_length(provider_key), state,
    job_version, char_length(node), lease_token, lease_until,
    char_length(provider_ref), unknown_at, ended_at, ending,
    char_length(failure_code), char_length(failure_message), report_outcome,
    char_length(report_digest), report_bytes, lost_to, char_length(cost),
    claimed_by, char_length(worker), char_length(claim_request), claim_place,
    claim_token, lease_ms, timeout_at));
