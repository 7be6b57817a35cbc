-- Who has proved what, which provider a job goes on at, and whose line is down.
--
-- Safe beside older nodes: every new column may be absent from what they write. They know nothing of
-- a job that is due at another provider than the first of its route, and their guard refuses to
-- start it there; so no older node fails over. It may try the first provider once more, and its
-- look for due jobs is slow while it lacks its index.

-- Both at once and before all work, in the order of every move: job, then attempt. A statement that
-- names them the other way round may still meet it; PostgreSQL then ends one of the two, and
-- nothing has been done yet.
LOCK TABLE onejob.job, onejob.attempt IN ACCESS EXCLUSIVE MODE;

-- Passes, one row each, for ever. A start by itself at a fallback reads the row FOR SHARE, behind
-- the lock of its job: a withdrawal waits for the starts that have read it, and every start that
-- comes to its locks after the withdrawal has committed finds it withdrawn.
CREATE TABLE onejob.qualification (
  id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind             text        NOT NULL CHECK (char_length(kind) BETWEEN 1 AND 64),
  provider         text        NOT NULL CHECK (char_length(provider) BETWEEN 1 AND 64),
  -- What it is bound to; `binding` is the digest of the four together, which is what a start compares.
  binding          text COLLATE "C" NOT NULL CHECK (binding ~ '^[0-9a-f]{64}$'),
  contract_hash    text        NOT NULL CHECK (char_length(contract_hash) BETWEEN 1 AND 128),
  settings_hash    text        NOT NULL CHECK (char_length(settings_hash) BETWEEN 1 AND 128),
  adapter_version  text        NOT NULL CHECK (char_length(adapter_version) BETWEEN 1 AND 128),
  requested_model  text        NOT NULL CHECK (char_length(requested_model) <= 256),
  -- What answered while it was proved. Another model that answers later withdraws the pass.
  answering_model  text        CHECK (char_length(answering_model) BETWEEN 1 AND 256),
  run              text        NOT NULL CHECK (char_length(run) BETWEEN 1 AND 128),
  passed_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  valid_until      timestamptz NOT NULL,
  -- Contract breaches in production, in a row.
  breaches         integer     NOT NULL DEFAULT 0 CHECK (breaches >= 0),
  withdrawn_at     timestamptz,
  withdrawn_by     text        CHECK (char_length(withdrawn_by) BETWEEN 1 AND 128),
  withdrawn_reason text        CHECK (char_length(withdrawn_reason) BETWEEN 1 AND 2000),
  -- One run proves one pass, whichever nodes have judged it.
  CONSTRAINT qualification_run_once UNIQUE (kind, provider, run),
  CONSTRAINT qualification_time CHECK (valid_until > passed_at),
  CONSTRAINT qualification_withdrawn CHECK (
    (withdrawn_at IS NULL) = (withdrawn_by IS NULL)
    AND (withdrawn_at IS NULL) = (withdrawn_reason IS NULL))
) WITH (fillfactor = 80);

CREATE INDEX qualification_of ON onejob.qualification (kind, provider, passed_at);

-- Providers that did not answer, shared by all nodes. There is no row of one that never failed, and
-- no write for one that works.
CREATE TABLE onejob.circuit (
  provider        text        PRIMARY KEY CHECK (char_length(provider) BETWEEN 1 AND 64),
  -- In a row, without an answer between them.
  failures        integer     NOT NULL CHECK (failures >= 0),
  failure_code    text        NOT NULL CHECK (char_length(failure_code) BETWEEN 1 AND 64),
  failure_message text        NOT NULL CHECK (char_length(failure_message) <= 4096),
  failed_at       timestamptz NOT NULL,
  -- Open since then; null: closed.
  opened_at       timestamptz,
  -- Nobody asks before that; then one attempt at a time does.
  open_until      timestamptz,
  pause_ms        bigint      CHECK (pause_ms >= 1),
  trial_attempt   uuid,
  CONSTRAINT circuit_open CHECK (
    (opened_at IS NULL) = (open_until IS NULL)
    AND (opened_at IS NULL) = (pause_ms IS NULL)
    AND (trial_attempt IS NULL OR opened_at IS NOT NULL))
) WITH (fillfactor = 50);

-- The walk of a job along its route. Null: at the first provider; nothing given up.
ALTER TABLE onejob.job
  ADD COLUMN goes_on_at text CHECK (char_length(goes_on_at) BETWEEN 1 AND 64),
  ADD COLUMN given_up   text[] CHECK (cardinality(given_up) BETWEEN 1 AND 8);

-- Due jobs are found by the provider that they are due at. Neither a start nor a settle changes it.
CREATE INDEX job_due_by_walk
  ON onejob.job (kind, (coalesce(goes_on_at, route[1])), (-priority), owner, run_at)
  WHERE run_at IS NOT NULL;

DROP INDEX onejob.job_due_by_turn;

CREATE INDEX job_unqualified ON onejob.job (kind, id) WHERE waiting_for = 'qualification';

-- Which providers a job was not given to by itself, and why; the same again is counted.
CREATE TABLE onejob.skip (
  job_id     uuid        NOT NULL REFERENCES onejob.job (id) ON DELETE CASCADE,
  provider   text        NOT NULL CHECK (char_length(provider) BETWEEN 1 AND 64),
  reason     text        NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 64),
  says       text        NOT NULL CHECK (char_length(says) <= 4096),
  skipped_at timestamptz NOT NULL,
  last_at    timestamptz NOT NULL,
  times      integer     NOT NULL CHECK (times >= 1),
  PRIMARY KEY (job_id, provider, reason)
);

-- An attempt that a person started at a provider that had proved nothing: why it had not.
ALTER TABLE onejob.attempt
  ADD COLUMN unqualified text CHECK (char_length(unqualified) BETWEEN 1 AND 64);

-- Due at a fallback: found again when that has lost its qualification.
CREATE INDEX job_due_at_fallback ON onejob.job (kind, id)
  WHERE run_at IS NOT NULL AND goes_on_at IS NOT NULL;

-- Jobs that wait already: what has failed of them is not tried again by itself.
UPDATE onejob.job AS j SET
  given_up = (
    SELECT array_agg(DISTINCT a.provider)
    FROM onejob.attempt AS a
    WHERE a.job_id = j.id AND a.provider = ANY (j.route))
WHERE j.waiting_for = 'qualification';
