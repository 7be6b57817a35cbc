package dev.onejob.server.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.onejob.server.config.DatabaseSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of connections to the PostgreSQL of the jobs, and the embedded server where it is ours.
 */
public final class Database implements AutoCloseable {
  /** Oldest server that is supported, as {@code server_version_num}. */
  private static final int VERSION_MIN = 140_000;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** How long a thread waits for a free connection before it is told that there is none. */
  private static final Duration BORROW_TIMEOUT = Duration.ofSeconds(10);

  /** Longest silence of the server within one statement: a cut line must not hold a thread. */
  private static final Duration SOCKET_TIMEOUT = Duration.ofMinutes(2);

  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final HikariDataSource pool;
  private final DatabaseAddress address;
  private final @Nullable EmbeddedDatabase embedded;

  private Database(
      HikariDataSource pool, DatabaseAddress address, @Nullable EmbeddedDatabase embedded) {
    this.pool = pool;
    this.address = address;
    this.embedded = embedded;
  }

  /**
   * Opens the database that the settings name, or the embedded one.
   *
   * @param dataFolder where the embedded one keeps its data
   * @throws DatabaseException if it cannot be reached or used
   */
  public static Database open(DatabaseSettings settings, Path dataFolder) {
    String url = settings.url();
    if (url != null) {
      DatabaseAddress address = DatabaseAddress.of(settings, url);
      return new Database(pool(settings, address), address, null);
    }
    EmbeddedDatabase embedded = EmbeddedDatabase.start(dataFolder);
    try {
      DatabaseAddress address = embedded.address();
      return new Database(pool(settings, address), address, embedded);
    } catch (RuntimeException e) {
      embedded.close();
      throw e;
    }
  }

  /** The pool. */
  public DataSource dataSource() {
    return pool;
  }

  /**
   * Gives connections from outside of the pool, each opened anew: for what must go on when the pool
   * is used up.
   *
   * @param within how long opening one, or one answer, may take; at least a second
   */
  public DataSource besideThePool(Duration within) {
    int seconds = (int) Math.max(1, within.toSeconds());
    PGSimpleDataSource single = new PGSimpleDataSource();
    single.setURL(address.jdbcUrl());
    if (address.user() != null) {
      single.setUser(address.user());
    }
    if (address.password() != null) {
      single.setPassword(address.password());
    }
    single.setApplicationName("onejob-leases");
    single.setConnectTimeout(seconds);
    single.setLoginTimeout(seconds);
    single.setSocketTimeout(seconds);
    single.setTcpKeepAlive(true);
    return single;
  }

  /** Closes the pool, then the embedded server. */
  @Override
  public void close() {
    pool.close();
    if (embedded != null) {
      embedded.close();
    }
  }

  private static HikariDataSource pool(DatabaseSettings settings, DatabaseAddress address) {
    HikariDataSource pool = connect(settings, address);
    try {
      check(pool, address);
      return pool;
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static HikariDataSource connect(DatabaseSettings settings, DatabaseAddress address) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("onejob");
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(settings.poolSizeMax());
    config.setMinimumIdle(Math.min(2, settings.poolSizeMax()));
    config.setConnectionTimeout(BORROW_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(CONNECT_TIMEOUT.toMillis());
    config.addDataSourceProperty("ApplicationName", "onejob");
    config.addDataSourceProperty("connectTimeout", CONNECT_TIMEOUT.toSeconds());
    config.addDataSourceProperty("socketTimeout", SOCKET_TIMEOUT.toSeconds());
    config.addDataSourceProperty("tcpKeepAlive", true);
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      throw new DatabaseException("cannot reach the database at " + address + ": " + reason, e);
    } catch (RuntimeException e) {
      throw new DatabaseException("the database address " + address + " is refused: " + e, e);
    }
  }

  private static final String SERVER =
      """
      SELECT current_setting('server_version_num')::int AS version_num,
             current_setting('server_version')          AS version,
             current_setting('fsync')                   AS fsync,
             current_setting('synchronous_commit')      AS synchronous_commit,
             current_setting('full_page_writes')        AS full_page_writes
      """;

  private static void check(DataSource pool, DatabaseAddress address) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SERVER)) {
      row.next();
      if (row.getInt("version_num") < VERSION_MIN) {
        throw new DatabaseException(
            "the database at "
                + address
                + " is PostgreSQL "
                + row.getString("version")
                + "; 14 or newer is needed");
      }
      forgetful(row).forEach(setting -> LOG.warn("{}: {}", address, setting));
    } catch (SQLException e) {
      throw new DatabaseException("cannot use the database at " + address + ": " + e, e);
    }
  }

  /** Settings under which the server may forget what it has acknowledged. */
  private static List<String> forgetful(ResultSet row) throws SQLException {
    List<String> found = new ArrayList<>();
    for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      if (row.getString(setting).equals("off")) {
        found.add(setting + " is off: jobs that were acknowledged may be lost in a crash");
      }
    }
    return found;
  }
}
