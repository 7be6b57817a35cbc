-- When a key was repeated, for the picture of a job: the moments at which nodes wrote their counts
-- down, which is every two seconds. The first ones are kept; a busy key needs no more of them. Nodes
-- of an older version add to the count alone.
ALTER TABLE onejob.job_repeat
  ADD COLUMN written_at timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(written_at) <= 64);
