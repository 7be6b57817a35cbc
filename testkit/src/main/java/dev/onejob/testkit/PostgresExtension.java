package dev.onejob.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lends every test a migrated database of its own on a real PostgreSQL, with a pool, and takes it
 * back afterwards.
 *
 * <pre>{@code
 * @RegisterExtension final PostgresExtension postgres = new PostgresExtension();
 * }</pre>
 *
 * <p>In a static field it lends one database to the whole class.
 */
public final class PostgresExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private static final int POOL_MAX = 24;

  private @Nullable String name;
  private @Nullable HikariDataSource pool;

  private boolean ofTheClass;

  @Override
  public void beforeAll(ExtensionContext context) {
    ofTheClass = true;
    open();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (!ofTheClass) {
      open();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (!ofTheClass) {
      close();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  private void open() {
    name = PostgresServer.get().create();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url());
    config.setMaximumPoolSize(POOL_MAX);
    config.setMinimumIdle(1);
    pool = new HikariDataSource(config);
  }

  private void close() {
    Objects.requireNonNull(pool).close();
    PostgresServer.get().drop(Objects.requireNonNull(name));
  }

  /** A pool of connections to the database of this test. */
  public DataSource dataSource() {
    return Objects.requireNonNull(pool, "only inside a test");
  }

  /** How many connections of the pool are in use right now. */
  public int activeConnections() {
    return Objects.requireNonNull(pool, "only inside a test")
        .getHikariPoolMXBean()
        .getActiveConnections();
  }

  /** The JDBC address of the database of this test, with user and password where needed. */
  public String url() {
    return PostgresServer.get().url(Objects.requireNonNull(name, "only inside a test"));
  }
}
