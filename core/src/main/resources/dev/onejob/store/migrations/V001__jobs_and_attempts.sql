-- Jobs, their attempts, and what was decided and learned about them.
-- A new schema: nothing runs on it yet.
--
-- The job row is the only lock of the protocol. It carries whatever a guard needs, so that one
-- guarded UPDATE can decide a move. The CHECKs say the rule of the states once more: a row that the
-- pure state machine cannot reach cannot be written.
--
-- Indexes are few, and none covers a column that a settle changes: the settle of a job stays a
-- heap-only update. `run_at` and `expires_at` are null outside the queue for that reason.

CREATE TABLE onejob.job (
  id                  uuid        PRIMARY KEY,
  -- COLLATE "C": what two equal owners or keys are must not hang on a locale of the machine.
  owner               text COLLATE "C" NOT NULL CHECK (octet_length(owner) BETWEEN 1 AND 128),
  key                 text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255
                                                       AND key ~ '^[!-~]*$'),
  kind                text        NOT NULL CHECK (char_length(kind) BETWEEN 1 AND 64),
  effect              text        NOT NULL CHECK (effect IN ('exclusive', 'keyed', 'harmless')),
  fingerprint_version smallint    NOT NULL,
  fingerprint         bytea       NOT NULL CHECK (octet_length(fingerprint) = 32),
  input               bytea       NOT NULL CHECK (octet_length(input) <= 1048576),
  route               text[]      NOT NULL CHECK (cardinality(route) BETWEEN 1 AND 8),
  priority            smallint    NOT NULL CHECK (priority BETWEEN -100 AND 100),
  tags                text[]      NOT NULL CHECK (cardinality(tags) <= 16),
  created_at          timestamptz NOT NULL DEFAULT clock_timestamp(),

  state               text        NOT NULL,
  waiting_for         text        CHECK (waiting_for IN ('qualification', 'decision')),
  version             bigint      NOT NULL CHECK (version >= 0),
  completed_by        uuid,
  live                smallint    NOT NULL CHECK (live BETWEEN 0 AND 2),
  starting            smallint    NOT NULL CHECK (starting BETWEEN 0 AND 1),
  in_doubt            smallint    NOT NULL CHECK (in_doubt >= 0),
  attempts_started    integer     NOT NULL,
  attempts_allowed    integer     NOT NULL CHECK (attempts_allowed >= 1),
  run_at              timestamptz,
  deadline            timestamptz,
  expires_at          timestamptz,
  cancel_requested_at timestamptz,
  contested           boolean     NOT NULL,
  failure_code        text        CHECK (char_length(failure_code) BETWEEN 1 AND 64),
  failure_message     text        CHECK (char_length(failure_message) <= 4096),
  race_after_ms       bigint      CHECK (race_after_ms >= 0),
  when_unqualified    text        NOT NULL CHECK (when_unqualified IN ('wait', 'fail')),
  result_format       text        CHECK (result_format IN ('json', 'text')),
  result              bytea       CHECK (octet_length(result) <= 4194304),
  ended_at            timestamptz,

  -- L1: one job per owner and key.
  CONSTRAINT job_owner_key UNIQUE (owner, key),

  CONSTRAINT job_counts CHECK (
    starting + in_doubt <= live
    AND live <= attempts_started
    AND attempts_started BETWEEN 0 AND attempts_allowed),
  CONSTRAINT job_state CHECK (
    CASE state
      WHEN 'succeeded' THEN completed_by IS NOT NULL
      WHEN 'unknown'   THEN completed_by IS NULL AND in_doubt > 0
      WHEN 'running'   THEN completed_by IS NULL AND in_doubt = 0 AND live > 0
      WHEN 'cancelled' THEN completed_by IS NULL AND live = 0 AND cancel_requested_at IS NOT NULL
      WHEN 'failed'    THEN completed_by IS NULL AND live = 0
      WHEN 'queued'    THEN completed_by IS NULL AND live = 0 AND cancel_requested_at IS NULL
                            AND attempts_started < attempts_allowed
      ELSE false
    END),
  CONSTRAINT job_waiting CHECK (waiting_for IS NULL OR state = 'queued'),
  CONSTRAINT job_due CHECK ((run_at IS NOT NULL) = (state = 'queued' AND waiting_for IS NULL)),
  CONSTRAINT job_expires CHECK (
    CASE WHEN state = 'queued' THEN expires_at IS NOT DISTINCT FROM deadline
         ELSE expires_at IS NULL END),
  CONSTRAINT job_contested CHECK (NOT (contested AND run_at IS NOT NULL)),
  CONSTRAINT job_failure CHECK (
    (failure_code IS NOT NULL) = (state = 'failed')
    AND (failure_message IS NOT NULL) = (state = 'failed')),
  CONSTRAINT job_result CHECK (
    (result_format IS NOT NULL) = (state = 'succeeded')
    AND (result IS NULL OR state = 'succeeded')),
  CONSTRAINT job_ended CHECK (
    (ended_at IS NOT NULL) = (state IN ('succeeded', 'failed', 'cancelled'))),
  CONSTRAINT job_race CHECK (race_after_ms IS NULL OR effect = 'harmless')
) WITH (fillfactor = 80);

CREATE INDEX job_by_owner ON onejob.job (owner, id);
CREATE INDEX job_due_by_priority ON onejob.job (priority DESC, run_at) WHERE run_at IS NOT NULL;
CREATE INDEX job_expiring ON onejob.job (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE onejob.attempt (
  id              uuid        PRIMARY KEY,
  job_id          uuid        NOT NULL REFERENCES onejob.job (id),
  owner           text        NOT NULL,
  number          integer     NOT NULL CHECK (number >= 1),
  provider        text        NOT NULL CHECK (char_length(provider) BETWEEN 1 AND 64),
  cause           text        NOT NULL CHECK (cause IN ('dispatch', 'button')),
  provider_key    text        NOT NULL CHECK (char_length(provider_key) BETWEEN 1 AND 255),
  started_at      timestamptz NOT NULL DEFAULT clock_timestamp(),

  state           text        NOT NULL,
  job_version     bigint      NOT NULL CHECK (job_version >= 0),
  node            text        NOT NULL CHECK (char_length(node) BETWEEN 1 AND 128),
  lease_token     uuid,
  lease_until     timestamptz,
  provider_ref    text        CHECK (char_length(provider_ref) <= 512),
  accepted_at     timestamptz,
  unknown_at      timestamptz,
  ended_at        timestamptz,
  ending          text        CHECK (ending IN ('report', 'decision', 'silence')),
  failure_code    text        CHECK (char_length(failure_code) BETWEEN 1 AND 64),
  failure_message text        CHECK (char_length(failure_message) <= 4096),
  report_outcome  text        CHECK (report_outcome IN ('succeeded', 'failed', 'stopped')),
  report_digest   text        CHECK (char_length(report_digest) = 64),
  report_bytes    bigint      CHECK (report_bytes >= 0),
  lost_to         uuid,
  cost            text        CHECK (char_length(cost) <= 4096),

  CONSTRAINT attempt_number UNIQUE (job_id, number),
  CONSTRAINT attempt_state CHECK (
    state IN ('starting', 'running', 'unknown', 'succeeded', 'failed', 'cancelled', 'lost')),
  CONSTRAINT attempt_lease CHECK (
    (lease_until IS NOT NULL) = (state IN ('starting', 'running'))
    AND (lease_token IS NOT NULL) = (lease_until IS NOT NULL)),
  CONSTRAINT attempt_ended CHECK (
    (ended_at IS NOT NULL) = (state IN ('succeeded', 'failed', 'cancelled', 'lost'))
    AND (ending IS NOT NULL) = (ended_at IS NOT NULL)),
  CONSTRAINT attempt_unknown CHECK (state <> 'unknown' OR unknown_at IS NOT NULL),
  CONSTRAINT attempt_lost CHECK ((lost_to IS NOT NULL) = (state = 'lost')),
  CONSTRAINT attempt_report CHECK (
    (report_outcome IS NULL) = (report_digest IS NULL)
    AND (report_outcome IS NULL) = (report_bytes IS NULL)
    AND (report_outcome IS NULL OR ended_at IS NOT NULL))
) WITH (fillfactor = 80);

CREATE INDEX attempt_leased ON onejob.attempt (lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX attempt_in_doubt ON onejob.attempt (unknown_at) WHERE state = 'unknown';

-- Decisions out of band, for ever: who, when, why. An acknowledgement has no attempt.
CREATE TABLE onejob.resolution (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id      uuid        NOT NULL REFERENCES onejob.job (id),
  attempt_id  uuid        REFERENCES onejob.attempt (id),
  owner       text        NOT NULL,
  verdict     text        NOT NULL CHECK (
    verdict IN ('not_done', 'done', 'still_running', 'abandon', 'acknowledge')),
  then_do     text        CHECK (then_do IN ('retry', 'wait')),
  reason      text        NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 2000),
  decided_by  text        NOT NULL CHECK (char_length(decided_by) BETWEEN 1 AND 128),
  decided_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT resolution_of CHECK ((attempt_id IS NULL) = (verdict = 'acknowledge'))
);

CREATE INDEX resolution_by_job ON onejob.resolution (job_id);

-- What was learned about an attempt outside its ordinary course. Never a payload.
CREATE TABLE onejob.evidence (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id     uuid        NOT NULL REFERENCES onejob.job (id),
  attempt_id uuid        NOT NULL REFERENCES onejob.attempt (id),
  owner      text        NOT NULL,
  source     text        NOT NULL CHECK (char_length(source) BETWEEN 1 AND 64),
  strength   text        NOT NULL CHECK (strength IN ('proof', 'hint')),
  says       text        NOT NULL CHECK (char_length(says) <= 4096),
  digest     text        NOT NULL CHECK (char_length(digest) IN (0, 64)),
  bytes      bigint      NOT NULL CHECK (bytes >= 0),
  learned_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX evidence_by_job ON onejob.evidence (job_id);
