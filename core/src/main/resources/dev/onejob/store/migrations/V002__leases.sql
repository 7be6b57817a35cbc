-- Leases are renewed every few seconds. No index may know `lease_until`, not even in its predicate, so
-- that a renewal stays a heap-only update: one new row version, and no index entry at all.
--
-- The sweep reads all live attempts through this index instead of the lapsed ones alone. There are as many as
-- all nodes together have slots, a few thousand; the indexes change only when a state does, as before.

DROP INDEX onejob.attempt_leased;

CREATE INDEX attempt_leased ON onejob.attempt (started_at) WHERE state IN ('starting', 'running');
