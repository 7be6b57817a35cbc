package dev.onejob.domain;

/**
 * One way in which an answer breaks the contract of its kind. It names places and expectations, and
 * quotes of the answer only names of members: what is kept of it may outlive the payload.
 *
 * @param check the check that found it: a stable word in kebab-case, such as {@code schema}
 * @param path where in the answer, as a JSON pointer (RFC 6901); empty for the answer as a whole
 * @param rule what it breaks: a JSON pointer into the schema, or the name of a rule; empty where
 *     the check alone says it
 * @param message for people: what was expected
 */
public record Breach(String check, String path, String rule, String message) {
  @Override
  public String toString() {
    return check
        + (rule.isEmpty() ? "" : " " + rule)
        + " at "
        + (path.isEmpty() ? "the top" : path)
        + ": "
        + message;
  }
}
