-- What providers have sent by themselves at an address of their own, and when an attempt is to be asked about
-- because of it.
--
-- A row is made once an event is known to be the provider's: after what follows from it is durable, or to keep it
-- until the attempt that it is about is known by the provider's id of the work. It belongs to no owner: whose
-- attempt it is about is known only when it is matched. It is never read in a statement of a job's life.

CREATE TABLE onejob.callback_event (
  provider     text        NOT NULL CHECK (char_length(provider) BETWEEN 1 AND 200),
  event_id     text        NOT NULL CHECK (char_length(event_id) BETWEEN 1 AND 255),
  -- Of the body, SHA-256: one id with two bodies is two events, which may contradict each other.
  digest       text        NOT NULL CHECK (char_length(digest) = 64),
  received_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  times        integer     NOT NULL DEFAULT 1 CHECK (times >= 1),
  taken_at     timestamptz,
  -- When it was last tried in vain; it then waits behind the others.
  tried_at     timestamptz,
  attempt_id   uuid,
  provider_ref text        CHECK (char_length(provider_ref) <= 512),
  body         bytea,
  PRIMARY KEY (provider, event_id, digest),
  CONSTRAINT callback_event_waits_for_its_attempt CHECK (
    (taken_at IS NULL) = (body IS NOT NULL) AND (taken_at IS NOT NULL OR provider_ref IS NOT NULL))
);

CREATE INDEX callback_event_unmatched ON onejob.callback_event (provider, provider_ref)
  WHERE taken_at IS NULL;

CREATE INDEX callback_event_received ON onejob.callback_event (received_at);

-- Written once in the life of an attempt, and only of providers that name an id.
CREATE INDEX attempt_provider_ref ON onejob.attempt (provider, provider_ref)
  WHERE provider_ref IS NOT NULL;

-- A reason to look sets the next question forward, and not again within a few seconds: whoever can
-- send such reasons cannot make us ask all the time.
ALTER TABLE onejob.probe ADD COLUMN woken_at timestamptz;

-- Until then one question is under way at the latest, and no other is put: a reason to look moves `probe_at`,
-- never this. Null: none is.
ALTER TABLE onejob.probe ADD COLUMN held_until timestamptz;
