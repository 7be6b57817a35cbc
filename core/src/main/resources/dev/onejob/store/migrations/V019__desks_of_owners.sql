-- The desk of one owner, whatever waits of others; of use to lists that name the owner. Only what is
-- in doubt or waits for a person is in them.
CREATE INDEX attempt_in_doubt_of_owner ON onejob.attempt (owner, unknown_at, id)
  WHERE state = 'unknown';
CREATE INDEX job_at_desk_of_owner ON onejob.job (owner, at_desk_since, id)
  WHERE contested OR waiting_for = 'decision';
