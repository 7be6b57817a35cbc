-- Racing by timer, and what is counted for the cost of a job.

-- A start has a third cause: the timer of a race.
ALTER TABLE onejob.attempt DROP CONSTRAINT attempt_cause_check;
ALTER TABLE onejob.attempt ADD CONSTRAINT attempt_cause_check
  CHECK (cause IN ('dispatch', 'button', 'race'));

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
  job_id  uuid   PRIMARY KEY REFERENCES onejob.job (id),
  repeats bigint NOT NULL CHECK (repeats >= 1)
);
