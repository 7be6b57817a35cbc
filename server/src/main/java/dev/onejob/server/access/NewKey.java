package dev.onejob.server.access;

/**
 * A key at the only moment at which its secret is known.
 *
 * @param secret to be handed over once; it is not kept
 */
public record NewKey(ApiKey key, String secret) {
  /** Leaves the secret out, so that it reaches no log. */
  @Override
  public String toString() {
    return "NewKey[key=" + key + "]";
  }
}
