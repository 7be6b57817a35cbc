package dev.onejob.domain;

import java.time.Duration;

/** Every bound of the product, one constant each, with its unit last. */
public final class Limits {
  /** Longest owner name, in characters; long enough for a tenant path or a UUID with a prefix. */
  public static final int OWNER_CHARS_MAX = 128;

  /** Longest idempotency key, in characters; the bound that most payment APIs use. */
  public static final int KEY_CHARS_MAX = 255;

  /** Longest name of a kind or provider, in characters. */
  public static final int NAME_CHARS_MAX = 64;

  /** Most providers in one route; more would be a list nobody can qualify. */
  public static final int ROUTE_PROVIDERS_MAX = 8;

  /** Most tags of a job. */
  public static final int TAGS_MAX = 16;

  /** Longest tag, in characters. */
  public static final int TAG_CHARS_MAX = 64;

  /** Largest input, in bytes as sent: a few pages of text, or a small image in base 64. */
  public static final int INPUT_BYTES_MAX = 1 << 20;

  /** Largest body of any request, in bytes: an input or a result and its envelope. */
  public static final int BODY_BYTES_MAX = (4 << 20) + (64 << 10);

  /**
   * Largest callback in a form of a provider's own, in bytes: such callbacks hold addresses of what
   * was made rather than the thing itself, and strangers may send them.
   */
  public static final int CALLBACK_BYTES_MAX = 1 << 20;

  /** Largest result that is kept, in bytes. */
  public static final int RESULT_BYTES_MAX = 4 << 20;

  /** Deepest nesting of JSON. Reading is not recursive; whoever reads our answers may be. */
  public static final int JSON_DEPTH_MAX = 128;

  /** Longest number in JSON, in characters of its text. */
  public static final int JSON_NUMBER_CHARS_MAX = 1_000;

  /** Longest string in JSON, in characters after unescaping. */
  public static final int JSON_STRING_CHARS_MAX = 4 << 20;

  /** Longest JSON pointer that a refusal names, in characters; the rest is cut off visibly. */
  public static final int JSON_POINTER_CHARS_MAX = 500;

  /** Longest reason of a decision, in characters. */
  public static final int REASON_CHARS_MAX = 2_000;

  /** Longest name of who made a decision, in characters. */
  public static final int DECIDED_BY_CHARS_MAX = 128;

  /** Longest message kept from a provider, in characters; the rest is cut off visibly. */
  public static final int MESSAGE_CHARS_MAX = 2_000;

  /** Longest provider-side id that is kept, in characters. */
  public static final int PROVIDER_REF_CHARS_MAX = 512;

  /** Longest name of a model that is kept and compared, in characters; the rest is cut off. */
  public static final int MODEL_CHARS_MAX = 256;

  /** Most breaches kept of one answer; who reads them mends the first ones first. */
  public static final int BREACHES_MAX = 32;

  /** Longest path, rule or message of a breach, in characters; the rest is cut off visibly. */
  public static final int BREACH_CHARS_MAX = 500;

  /** Most bytes kept of an answer that broke its contract, as evidence; the rest is cut off. */
  public static final int BROKEN_ANSWER_BYTES_MAX = 64 << 10;

  /** Most attempts a kind may allow. */
  public static final int ATTEMPTS_ALLOWED_MAX = 100;

  /** Most live attempts of one job: two, and only in a race. */
  public static final int LIVE_ATTEMPTS_MAX = 2;

  /** Highest and lowest priority of a job; 0 is normal, more is sooner. */
  public static final int PRIORITY_MAX = 100;

  /** Longest wait of one request for the end of a job. */
  public static final Duration WAIT_MAX = Duration.ofSeconds(60);

  /** Longest wait of a worker for work; more would outlast what lies between it and the node. */
  public static final Duration CLAIM_WAIT_MAX = Duration.ofSeconds(30);

  /** Most attempts of one claim: as many of the largest inputs as fit into one batch. */
  public static final int CLAIM_ATTEMPTS_MAX = 16;

  /** Most kinds that a worker names in one claim. */
  public static final int CLAIM_KINDS_MAX = 64;

  /** Longest name of a worker, and longest id of a claim, in characters. */
  public static final int CLAIM_NAME_CHARS_MAX = 128;

  /** Longest attempt timeout: a day, as the batch endpoints of providers have. */
  public static final Duration ATTEMPT_TIMEOUT_MAX = Duration.ofDays(1);

  /**
   * Longest wish of a provider that is heeded: a year, beyond which it is a mistake or an attack,
   * and in the end no time at all that a database can hold.
   */
  public static final Duration RETRY_AFTER_MAX = Duration.ofDays(365);

  /** Largest page of a list. */
  public static final int PAGE_MAX = 200;

  /** Most moves in one group commit; larger batches no longer gain and hold locks longer. */
  public static final int BATCH_MAX = 256;

  /** Most jobs of one transaction of a bulk submit: nobody waits for one of them alone. */
  public static final int BULK_MAX = 1_024;

  /**
   * Most bytes of inputs or results in one group commit: four of the largest results. 256 of them
   * would be a gigabyte, which is more than PostgreSQL takes in one message.
   */
  public static final int BATCH_BYTES_MAX = 16 << 20;

  /** Up to how many due jobs of a kind are counted for the metrics: a scrape must stay cheap. */
  public static final int DUE_COUNTED_MAX = 100_000;

  private Limits() {}
}
