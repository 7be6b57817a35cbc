package dev.onejob.server.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the jobs are kept.
 *
 * @param url a JDBC or postgres:// address; null: the embedded PostgreSQL
 * @param user null: as the address says
 * @param password null: as the address says
 * @param poolSizeMax connections of this node
 * @param durability what becomes of a server that may forget what it has acknowledged
 * @param socketTimeout longest silence of the server within one statement
 */
public record DatabaseSettings(
    @Nullable String url,
    @Nullable String user,
    @Nullable String password,
    int poolSizeMax,
    Durability durability,
    Duration socketTimeout) {

  /** Short moves only, in batches: more connections would only wait for each other. */
  static final int POOL_SIZE = 16;

  /** No statement of the service takes this long: beyond it the line is dead. */
  static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(30);

  /** Whether a server is taken that may forget what it has acknowledged. */
  public enum Durability {
    /** It is refused. */
    REQUIRED,
    /** It is taken, with a warning. */
    WAIVED
  }

  /** The defaults, at an address; null: the embedded PostgreSQL. */
  public static DatabaseSettings of(@Nullable String url) {
    return new DatabaseSettings(url, null, null, POOL_SIZE, Durability.REQUIRED, SOCKET_TIMEOUT);
  }

  /** Another database; all else stays. */
  public DatabaseSettings at(String otherUrl) {
    return new DatabaseSettings(otherUrl, null, null, poolSizeMax, durability, socketTimeout);
  }

  /** The same for whoever is at the address, with a user and password of its own. */
  public DatabaseSettings as(String otherUser, String otherPassword) {
    return new DatabaseSettings(
        url, otherUser, otherPassword, poolSizeMax, durability, socketTimeout);
  }

  /** Keeps passwords out of logs. */
  @Override
  public String toString() {
    return url == null ? "embedded" : "external";
  }
}
