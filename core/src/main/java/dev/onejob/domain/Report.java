package dev.onejob.domain;

/**
 * The gist of an attempt's answer: enough to recognise the same answer sent twice.
 *
 * @param outcome the class of the answer
 * @param digest SHA-256 of the payload in lower-case hexadecimal; of the failure's code and message
 *     where there is no payload
 * @param bytes size of the payload
 */
public record Report(Outcome outcome, String digest, long bytes) {
  /** The class of an answer. */
  public enum Outcome {
    SUCCEEDED,
    FAILED,
    STOPPED
  }
}
