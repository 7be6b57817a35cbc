package dev.onejob.server.config;

import org.jspecify.annotations.Nullable;

/**
 * Where the jobs are kept.
 *
 * @param url a JDBC or postgres:// address; null: the embedded PostgreSQL
 * @param user null: as the address says
 * @param password null: as the address says
 */
public record DatabaseSettings(
    @Nullable String url, @Nullable String user, @Nullable String password, int poolSizeMax) {

  /** Another database; the pool stays as large. */
  public DatabaseSettings at(String otherUrl) {
    return new DatabaseSettings(otherUrl, null, null, poolSizeMax);
  }

  /** Keeps passwords out of logs. */
  @Override
  public String toString() {
    return url == null ? "embedded" : "external";
  }
}
