package dev.onejob.providers.model;

/** What of an answer is the result. */
public enum ResultAs {
  /** What the model said, as text. */
  TEXT,
  /** What the model said, which has to be JSON. */
  JSON,
  /** The answer as it came. */
  WHOLE
}
