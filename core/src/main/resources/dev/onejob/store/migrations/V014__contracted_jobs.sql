-- Whether the kind of a job had a contract on the node that admitted it. A node whose configuration has
-- none for the kind starts nothing of such a job, takes no result of it and does not decide where it goes on.
--
-- Safe beside older nodes: what they admit is false, which is as they treat it.
ALTER TABLE onejob.job ADD COLUMN contracted boolean NOT NULL DEFAULT false;

-- Before when a job does not come back to a provider by itself: what the provider has wished for, or the
-- backoff, also after the job has gone on elsewhere. Pairs `provider=microseconds since 1970`, with commas between.
ALTER TABLE onejob.job ADD COLUMN not_before text;
