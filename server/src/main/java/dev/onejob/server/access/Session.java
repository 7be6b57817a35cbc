package dev.onejob.server.access;

/**
 * A person at the dashboard, as one request finds them.
 *
 * @param id names the session without opening it: a digest of its token, in hexadecimal digits
 * @param who the API key that they logged in with, as it is now
 * @param csrf what forms of this session carry; it cannot be told from {@code id}
 * @param transport how it was made, and over what alone it holds
 */
public record Session(String id, Credential who, String csrf, Transport transport) {
  /** How requests come. */
  public enum Transport {
    /** Over HTTP as it is, such as on the loopback. */
    PLAIN,
    /** Over TLS, which ends here or at a proxy. */
    SECURE
  }

  /** Keeps the token of forms out of logs. */
  @Override
  public String toString() {
    return "session of " + who.name();
  }
}
