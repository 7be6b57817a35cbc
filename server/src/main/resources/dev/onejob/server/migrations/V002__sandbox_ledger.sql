-- The sandbox's own ledger: what really happened at the sandbox providers, whatever the job tables
-- say. One row for each request that arrived; `acted_at` is set when its effect takes place.
CREATE TABLE onejob_server.sandbox_call (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job         text        NOT NULL,
  attempt     text        NOT NULL,
  provider    text        NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  acted_at    timestamptz
);

CREATE INDEX sandbox_call_job ON onejob_server.sandbox_call (job);
