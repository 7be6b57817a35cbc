-- Attempts that are in the hands of pull workers. All of these columns are null for attempts that a
-- node makes by itself; none of them changes after the claim.
--
-- The unique index is what makes a claim happen once: two claims under one request id both want the
-- first place, and the second to come waits for the first and then loses. It holds for ever, so that
-- a claim that was sent twice and arrives late starts nothing.

ALTER TABLE onejob.attempt
  -- The API key that claimed it, and the name that the worker gave.
  ADD COLUMN claimed_by    uuid,
  ADD COLUMN worker        text COLLATE "C" CHECK (char_length(worker) BETWEEN 1 AND 128),
  ADD COLUMN claim_request text COLLATE "C" CHECK (char_length(claim_request) BETWEEN 1 AND 128),
  -- Which of the attempts of that claim it is, from 1.
  ADD COLUMN claim_place   smallint CHECK (claim_place >= 1),
  -- The token for ever: lease_token is null once the lease is over.
  ADD COLUMN claim_token   uuid,
  ADD COLUMN lease_ms      bigint CHECK (lease_ms >= 1),
  -- The lease is never renewed beyond this.
  ADD COLUMN timeout_at    timestamptz,
  ADD CONSTRAINT attempt_claim CHECK (
    (claimed_by IS NULL) = (worker IS NULL)
    AND (claimed_by IS NULL) = (claim_request IS NULL)
    AND (claimed_by IS NULL) = (claim_place IS NULL)
    AND (claimed_by IS NULL) = (claim_token IS NULL)
    AND (claimed_by IS NULL) = (lease_ms IS NULL)
    AND (claimed_by IS NULL) = (timeout_at IS NULL));

CREATE UNIQUE INDEX attempt_claimed_once ON onejob.attempt (claimed_by, claim_request, claim_place)
  WHERE claimed_by IS NOT NULL;
CREATE INDEX attempt_held ON onejob.attempt (claimed_by, worker)
  WHERE claimed_by IS NOT NULL AND state IN ('starting', 'running');
-- Attempts started by the button at a provider that workers serve: no node has them, and no worker yet.
CREATE INDEX attempt_offered ON onejob.attempt (provider)
  WHERE node = '(none)' AND state = 'starting';
