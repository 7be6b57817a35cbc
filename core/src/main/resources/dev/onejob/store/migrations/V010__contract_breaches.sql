-- Answers that broke the contract of their kind: what they broke, and the answer as it came, up to a
-- limit. A table of its own: a settle that keeps its contract touches none of it. Only the answer of an
-- attempt that ended by its breach is here, never that of one that had lost the slot already.
--
-- The answer is a payload, and is emptied with the payloads of its job; the breaches quote none of
-- its values and stay as long as the attempt.
--
-- Safe beside older nodes, which know nothing of this table: what their retention removes takes its
-- breaches along, and what it empties empties their answers.

CREATE TABLE onejob.breach (
  attempt_id     uuid        PRIMARY KEY REFERENCES onejob.attempt (id) ON DELETE CASCADE,
  job_id         uuid        NOT NULL REFERENCES onejob.job (id) ON DELETE CASCADE,
  owner          text        NOT NULL,
  contract       text        NOT NULL CHECK (char_length(contract) BETWEEN 1 AND 128),
  contract_hash  text        NOT NULL CHECK (char_length(contract_hash) = 64),
  checks         text[]      NOT NULL CHECK (cardinality(checks) BETWEEN 1 AND 32),
  paths          text[]      NOT NULL CHECK (cardinality(paths) = cardinality(checks)),
  rules          text[]      NOT NULL CHECK (cardinality(rules) = cardinality(checks)),
  messages       text[]      NOT NULL CHECK (cardinality(messages) = cardinality(checks)),
  answer_format  text        NOT NULL CHECK (answer_format IN ('json', 'text')),
  answer         bytea       CHECK (octet_length(answer) <= 65536),
  answer_bytes   bigint      NOT NULL CHECK (answer_bytes >= 0),
  answer_digest  text        NOT NULL CHECK (char_length(answer_digest) = 64),
  broken_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX breach_by_job ON onejob.breach (job_id);

CREATE FUNCTION onejob.breach_answers_go_with_payloads() RETURNS trigger LANGUAGE plpgsql AS $function$
BEGIN
  UPDATE onejob.breach SET answer = NULL WHERE job_id = NEW.id AND answer IS NOT NULL;
  RETURN NULL;
END
$function$;

-- Of no other statement than retention's: no other sets this column.
CREATE TRIGGER breach_answers_go_with_payloads
  AFTER UPDATE OF payload_emptied_at ON onejob.job
  FOR EACH ROW
  WHEN (OLD.payload_emptied_at IS NULL AND NEW.payload_emptied_at IS NOT NULL)
  EXECUTE FUNCTION onejob.breach_answers_go_with_payloads();
