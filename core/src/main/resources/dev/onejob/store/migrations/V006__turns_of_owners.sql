-- Due jobs by turns of their owners: for one kind and one first provider the owners that wait are
-- found by skipping from one to the next, by priority, however many jobs each of them has. It
-- stands in for the index by priority and time, which showed the flood of one owner before all else.

CREATE INDEX job_due_by_turn
  ON onejob.job (kind, (route[1]), (-priority), owner, run_at)
  WHERE run_at IS NOT NULL;

DROP INDEX onejob.job_due_by_priority;
