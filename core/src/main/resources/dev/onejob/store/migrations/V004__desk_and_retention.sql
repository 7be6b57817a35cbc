-- The desk (what waits for a person), the evidence of a decision, reopening, and retention.

-- When a job came to the desk: contested, or waiting for a decision. The short way of a start may
-- leave a stale time behind; the predicate of the index is what says that the job is there.
ALTER TABLE onejob.job ADD COLUMN at_desk_since timestamptz;

UPDATE onejob.job SET at_desk_since = clock_timestamp()
WHERE contested OR waiting_for = 'decision';

ALTER TABLE onejob.job ADD CONSTRAINT job_desk CHECK (
  at_desk_since IS NOT NULL OR NOT (contested OR coalesce(waiting_for = 'decision', false)));

-- No column here changes in a start or a settle of a job that goes its usual way.
CREATE INDEX job_at_desk ON onejob.job (at_desk_since, id)
  WHERE contested OR waiting_for = 'decision';

-- An emptied payload is a state that can be seen: of a job that is over, and over with everything.
ALTER TABLE onejob.job ALTER COLUMN input DROP NOT NULL;
ALTER TABLE onejob.job ADD COLUMN payload_emptied_at timestamptz;
ALTER TABLE onejob.job ADD CONSTRAINT job_emptied CHECK (
  CASE WHEN payload_emptied_at IS NULL THEN input IS NOT NULL
       ELSE input IS NULL AND result IS NULL AND ended_at IS NOT NULL AND live = 0 END);

-- What was known at the moment of a decision. Evidence is only ever added, so its ids are enough;
-- what raised the doubt is kept by value, for the decision writes its own word over it.
ALTER TABLE onejob.resolution
  ADD COLUMN was_state           text,
  ADD COLUMN was_since           timestamptz,
  ADD COLUMN was_failure_code    text,
  ADD COLUMN was_failure_message text,
  ADD COLUMN evidence_ids        bigint[];

ALTER TABLE onejob.resolution DROP CONSTRAINT resolution_verdict_check;
ALTER TABLE onejob.resolution ADD CONSTRAINT resolution_verdict_check CHECK (
  verdict IN ('not_done', 'done', 'still_running', 'abandon', 'acknowledge', 'reopen'));
ALTER TABLE onejob.resolution DROP CONSTRAINT resolution_of;
ALTER TABLE onejob.resolution ADD CONSTRAINT resolution_of CHECK (
  (attempt_id IS NULL) = (verdict IN ('acknowledge', 'reopen')));

-- Removing an attempt looks for what refers to it.
CREATE INDEX resolution_by_attempt ON onejob.resolution (attempt_id) WHERE attempt_id IS NOT NULL;
CREATE INDEX evidence_by_attempt ON onejob.evidence (attempt_id);

-- Retention walks the jobs in the order of their ids, which is the order of their admission, by the
-- primary key that is there anyway: no index of its own, no cost to a job's life. Every job up to
-- `passed` has been dealt with or is listed in retention_later.
CREATE TABLE onejob.retention (
  work   text PRIMARY KEY CHECK (work IN ('payload', 'tombstone')),
  passed uuid NOT NULL
);

INSERT INTO onejob.retention (work, passed) VALUES
  ('payload', '00000000-0000-0000-0000-000000000000'),
  ('tombstone', '00000000-0000-0000-0000-000000000000');

-- Jobs that were not ripe when the walk passed them, and when to look at them again. No reference
-- to the job: it would be one more thing to look for at every removal.
CREATE TABLE onejob.retention_later (
  work    text        NOT NULL REFERENCES onejob.retention (work),
  job_id  uuid        NOT NULL,
  look_at timestamptz NOT NULL,
  PRIMARY KEY (work, job_id)
);

CREATE INDEX retention_later_due ON onejob.retention_later (work, look_at);
