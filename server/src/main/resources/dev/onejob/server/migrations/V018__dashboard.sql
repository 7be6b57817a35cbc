-- Who has logged in to the dashboard. Only a SHA-256 of the token is stored: tokens are 256 random
-- bits, so no slow hash is needed. In the database, so that every node knows every session, and so
-- that a withdrawn key ends its sessions everywhere with the next request.
CREATE TABLE onejob_server.ui_session (
  token_sha256 bytea       PRIMARY KEY CHECK (octet_length(token_sha256) = 32),
  api_key_id   uuid        NOT NULL REFERENCES onejob_server.api_key (id) ON DELETE CASCADE,
  transport    text        NOT NULL CHECK (transport IN ('plain', 'secure')),
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  ends_at      timestamptz NOT NULL
);
CREATE INDEX ui_session_of_key ON onejob_server.ui_session (api_key_id, created_at);
CREATE INDEX ui_session_ends ON onejob_server.ui_session (ends_at);

-- What every node has counted, by minutes, for the overview of all of them: a handful of rows of a
-- minute, kept for two days. Nodes add to it every few seconds, which is their sign of life too.
-- Counts are for people: what a node that was killed had not written is missing.
CREATE TABLE onejob_server.tally (
  minute     timestamptz NOT NULL,
  node       text        NOT NULL CHECK (char_length(node) BETWEEN 1 AND 128),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created    bigint      NOT NULL DEFAULT 0,
  repeated   bigint      NOT NULL DEFAULT 0,
  mismatched bigint      NOT NULL DEFAULT 0,
  succeeded  bigint      NOT NULL DEFAULT 0,
  failed     bigint      NOT NULL DEFAULT 0,
  cancelled  bigint      NOT NULL DEFAULT 0,
  lost       bigint      NOT NULL DEFAULT 0,
  PRIMARY KEY (minute, node)
) WITH (fillfactor = 50);

-- Money is exact, and a row for each currency.
CREATE TABLE onejob_server.tally_paid (
  minute   timestamptz NOT NULL,
  node     text        NOT NULL CHECK (char_length(node) BETWEEN 1 AND 128),
  currency text        NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  paid     numeric     NOT NULL CHECK (paid >= 0),
  PRIMARY KEY (minute, node, currency)
);
