-- Keys for callers that send none: the same request of an owner gets the key that it got before, for
-- as long as the job under that key is not over, and for a window after its end. One row for each
-- owner and request; whoever asks locks it, so that two who ask at once get one key.
CREATE TABLE onejob.derived_key (
  owner    text COLLATE "C" NOT NULL CHECK (octet_length(owner) BETWEEN 1 AND 128),
  -- SHA-256 of where the request was sent and of its bytes.
  request  bytea            NOT NULL CHECK (octet_length(request) = 32),
  key      text COLLATE "C" NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 255),
  -- When it was last asked for, by the clock of the database: old rows are swept out by it.
  used_at  timestamptz      NOT NULL,
  PRIMARY KEY (owner, request)
);

CREATE INDEX derived_key_by_use ON onejob.derived_key (used_at);
