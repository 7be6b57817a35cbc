-- Webhooks: what an owner wants to hear of, what is to be said, and each try to say it.
--
-- No reference between these tables and the jobs: a settle must never wait for whoever removes a
-- webhook, and never fail because one is gone. What hangs in the air is ended by the keeping pass.
--
-- Safe beside older nodes: every new column may be absent from what they write. What they end or
-- doubt is told to nobody.

-- A job may name a webhook of its owner, by name; null: none.
ALTER TABLE onejob.job ADD COLUMN webhook text COLLATE "C";

CREATE TABLE onejob.webhook (
  id              uuid        PRIMARY KEY,
  owner           text COLLATE "C" NOT NULL CHECK (octet_length(owner) BETWEEN 1 AND 128),
  -- What bounds the webhooks of one owner: every end of a job looks at all of them.
  place           smallint    NOT NULL CHECK (place BETWEEN 1 AND 16),
  name            text COLLATE "C" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  url             text        NOT NULL CHECK (char_length(url) BETWEEN 1 AND 2048),
  events          text[]      NOT NULL CHECK (
    cardinality(events) BETWEEN 1 AND 2 AND events <@ ARRAY['job.ended', 'job.in_doubt']),
  -- Of all jobs of the owner, or only of those that name it.
  jobs            text        NOT NULL CHECK (jobs IN ('all', 'named')),
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Tries in a row that were in vain. While there are any, one delivery at a time is tried.
  failures        integer     NOT NULL DEFAULT 0 CHECK (failures >= 0),
  disabled_at     timestamptz,
  disabled_reason text        CHECK (char_length(disabled_reason) BETWEEN 1 AND 200),
  CONSTRAINT webhook_name UNIQUE (owner, name),
  CONSTRAINT webhook_place UNIQUE (owner, place),
  CONSTRAINT webhook_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
) WITH (fillfactor = 80);

-- Secrets as they are: they have to sign. One without an end is the present one.
CREATE TABLE onejob.webhook_secret (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id  uuid        NOT NULL REFERENCES onejob.webhook (id) ON DELETE CASCADE,
  secret      bytea       NOT NULL CHECK (octet_length(secret) BETWEEN 24 AND 64),
  made_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  valid_until timestamptz
);

CREATE UNIQUE INDEX webhook_secret_present ON onejob.webhook_secret (webhook_id)
  WHERE valid_until IS NULL;
CREATE INDEX webhook_secret_of ON onejob.webhook_secret (webhook_id);

-- The outbox: one event for one webhook, written in the transaction of the move that it tells of.
-- It is whole by itself, so that it says the same at every try, also when the job is gone.
CREATE TABLE onejob.webhook_delivery (
  -- A UUID of version 7, as all ids that sort by time; shown as evt_….
  id           uuid        PRIMARY KEY DEFAULT (
    lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
  webhook_id   uuid        NOT NULL,
  owner        text COLLATE "C" NOT NULL,
  event        text        NOT NULL CHECK (event IN ('job.ended', 'job.in_doubt')),
  job_id       uuid        NOT NULL,
  job_key      text COLLATE "C" NOT NULL,
  kind         text        NOT NULL,
  job_state    text        NOT NULL CHECK (
    job_state IN ('unknown', 'succeeded', 'failed', 'cancelled')),
  failure_code text,
  occurred_at  timestamptz NOT NULL DEFAULT clock_timestamp(),

  state        text        NOT NULL DEFAULT 'waiting' CHECK (
    state IN ('waiting', 'delivered', 'failed')),
  -- All tries, and those since it was made or asked for again.
  tries        integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
  round_tries  integer     NOT NULL DEFAULT 0 CHECK (round_tries BETWEEN 0 AND tries),
  round_since  timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- While a try is under way: when it is taken for dead. Null once the delivery has ended.
  next_at      timestamptz DEFAULT clock_timestamp(),
  ended_at     timestamptz,
  CONSTRAINT webhook_delivery_ended CHECK (
    (next_at IS NULL) = (state <> 'waiting') AND (ended_at IS NULL) = (state = 'waiting'))
) WITH (fillfactor = 80);

CREATE INDEX webhook_delivery_due ON onejob.webhook_delivery (webhook_id, next_at)
  WHERE next_at IS NOT NULL;
CREATE INDEX webhook_delivery_log ON onejob.webhook_delivery (webhook_id, id);
CREATE INDEX webhook_delivery_failed ON onejob.webhook_delivery (webhook_id, id)
  WHERE state = 'failed';
CREATE INDEX webhook_delivery_ended ON onejob.webhook_delivery (ended_at)
  WHERE ended_at IS NOT NULL;

-- A row is written before the request leaves. One without an end is under way, or its node died.
-- Nothing of an answer is kept but its status.
CREATE TABLE onejob.webhook_try (
  delivery_id uuid        NOT NULL REFERENCES onejob.webhook_delivery (id) ON DELETE CASCADE,
  number      integer     NOT NULL CHECK (number >= 1),
  node        text        NOT NULL CHECK (char_length(node) BETWEEN 1 AND 128),
  started_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  outcome     text        CHECK (
    outcome IN ('delivered', 'refused', 'gone', 'unanswered', 'not_sent', 'blocked')),
  status      integer     CHECK (status BETWEEN 100 AND 999),
  message     text        CHECK (char_length(message) <= 300),
  PRIMARY KEY (delivery_id, number),
  CONSTRAINT webhook_try_ended CHECK ((ended_at IS NULL) = (outcome IS NULL))
) WITH (fillfactor = 80);
