-- Runs of qualifications: what was asked of a provider for a kind, what came, and what it proves.
-- The questions themselves are jobs of a built-in kind, whose keys are made of the run's id, so
-- that a run that was stopped, or carried on by another node, asks nothing twice.
CREATE TABLE onejob.qualification_run (
  id             uuid        PRIMARY KEY,
  kind           text        NOT NULL,
  provider       text        NOT NULL,
  contract_hash  text        NOT NULL,
  -- A digest of everything else that a pass is bound to: settings and adapter version.
  binding        text        NOT NULL,
  requested_by   text        NOT NULL,
  state          text        NOT NULL
    CHECK (state IN ('running', 'stopped', 'passed', 'failed', 'inconclusive', 'outdated')),
  -- Progress: questions in all, and those that have come to an end.
  asked          integer     NOT NULL CHECK (asked >= 0),
  answered       integer     NOT NULL DEFAULT 0 CHECK (answered >= 0),
  created_at     timestamptz NOT NULL,
  ended_at       timestamptz,
  -- What the checks say, and every question with its answer; both JSON, kept after the jobs of
  -- the questions were emptied.
  report         text,
  transcript     text,
  CHECK ((ended_at IS NULL) = (state IN ('running', 'stopped'))),
  CHECK ((report IS NOT NULL) = (state IN ('passed', 'failed', 'inconclusive'))),
  CHECK ((transcript IS NULL) = (report IS NULL))
);

-- One open run for each kind and provider: whoever asks again finds it.
CREATE UNIQUE INDEX qualification_run_open ON onejob.qualification_run (kind, provider)
  WHERE ended_at IS NULL;
-- For lists, newest first, and for the last run of a provider.
CREATE INDEX qualification_run_of_kind ON onejob.qualification_run (kind, provider, created_at DESC);
