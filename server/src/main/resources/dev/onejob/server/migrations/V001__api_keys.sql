-- API keys. Only a SHA-256 of the secret is stored: the secrets are 256 random bits, so no slow
-- hash is needed. A withdrawn key stays, so that its name in old decisions keeps its meaning.
CREATE TABLE onejob_server.api_key (
  id            uuid        PRIMARY KEY,
  name          text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  role          text        NOT NULL CHECK (role IN ('client', 'worker', 'operator')),
  owner         text        NOT NULL CHECK (char_length(owner) BETWEEN 1 AND 128),
  secret_sha256 bytea       NOT NULL UNIQUE CHECK (octet_length(secret_sha256) = 32),
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  withdrawn_at  timestamptz
);
