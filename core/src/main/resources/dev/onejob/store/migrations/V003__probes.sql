-- Asking providers about attempts in doubt: when next, how often so far, until when at the latest.
--
-- A table of its own: whoever is asked about is in doubt, and the settle of a job or of an attempt
-- that is not touches none of this. A row is made when a node first finds the attempt in doubt and
-- its provider can be asked. Taking a row to ask pushes `probe_at` forward, by the database clock:
-- so no two nodes ask at once, and if the one that asks dies another does.

CREATE TABLE onejob.probe (
  attempt_id   uuid        PRIMARY KEY REFERENCES onejob.attempt (id) ON DELETE CASCADE,
  owner        text        NOT NULL,
  asked        integer     NOT NULL DEFAULT 0 CHECK (asked >= 0),
  probe_at     timestamptz,
  -- Not later than this: the provider may have forgotten, and "not found" would prove nothing.
  probe_before timestamptz NOT NULL,
  bound        text        NOT NULL CHECK (bound IN ('evidence_expires', 'asked_long_enough')),
  ended        text        CHECK (
    ended IN ('attempt_ended', 'evidence_expires', 'asked_long_enough')),
  -- The lease under which an attempt that is found at work is watched.
  watch_token  uuid,
  CONSTRAINT probe_ended CHECK ((ended IS NOT NULL) = (probe_at IS NULL))
) WITH (fillfactor = 80);

CREATE INDEX probe_due ON onejob.probe (probe_at) WHERE probe_at IS NOT NULL;

-- The same answer again is counted, not kept again.
ALTER TABLE onejob.evidence
  ADD COLUMN times   integer NOT NULL DEFAULT 1 CHECK (times >= 1),
  ADD COLUMN last_at timestamptz;
