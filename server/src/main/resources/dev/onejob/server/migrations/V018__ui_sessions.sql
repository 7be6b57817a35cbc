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
