-- The key from which the secrets of callback addresses are derived, one for each attempt. Made once, by the
-- first node that starts, and the same on all of them: an address that a provider was given holds for as long
-- as the attempt is known, whichever node is called, also after a restore. Whoever reads it can speak for
-- providers, as whoever writes to this schema can anyway.
--
-- At most one row, which belongs to no owner: it is never read in a statement of a job's life.

CREATE TABLE onejob.callback_key (
  only_one boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
  key      bytea       NOT NULL CHECK (octet_length(key) = 32),
  made_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
