-- What a sandbox remembers of requests, for providers that are configured to be asked about them or
-- to act once for a key. The other providers' requests carry none of this.
ALTER TABLE onejob_server.sandbox_call
  ADD COLUMN provider_key text,
  ADD COLUMN input        bytea,
  -- How often somebody asked about it.
  ADD COLUMN asked        integer NOT NULL DEFAULT 0;

-- Which request a key is bound to. Without one it is closed: the provider has said that it knows of
-- no such request, for good, and takes it no more.
CREATE TABLE onejob_server.sandbox_key (
  provider     text   NOT NULL,
  provider_key text   NOT NULL,
  call         bigint,
  PRIMARY KEY (provider, provider_key)
);
