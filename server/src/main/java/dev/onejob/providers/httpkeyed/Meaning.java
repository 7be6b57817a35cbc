package dev.onejob.providers.httpkeyed;

/** What an answer that is no success says about the act, in the words of the configuration. */
enum Meaning {
  /** Turned away before any work, and nothing is kept under the key. */
  REFUSED,
  /** The same, and it may be tried again. */
  REFUSED_RETRYABLE,
  /** The work was begun and has failed for good; the answer is kept under the key. */
  FAILED,
  /** The same, and a new attempt may go better. */
  FAILED_RETRYABLE,
  /** Another request under the same key is at work. */
  IN_PROGRESS,
  /** The key is known for another request than this one. */
  KEY_MISMATCH,
  /** Nothing can be said. */
  IN_DOUBT
}
