package dev.onejob.server.access;

/**
 * The secrets of the two keys that an empty database gets.
 *
 * @param operator secret of the operator key
 * @param client secret of the client key
 */
public record FirstKeys(String operator, String client) {
  /** Leaves the secrets out, so that they reach no log. */
  @Override
  public String toString() {
    return "FirstKeys[]";
  }
}
