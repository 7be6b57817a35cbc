package dev.onejob.server.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.config.DatabaseSettings.Durability;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of connections to the PostgreSQL of the jobs, and the embedded server where it is ours.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  private final HikariDataSource pool;
  private final DatabaseAddress address;
  private final DatabaseSettings settings;
  private final ServerFacts server;
  private final @Nullable EmbeddedDatabase embedded;

  private Database(
      DatabaseSettings settings, DatabaseAddress address, @Nullable EmbeddedDatabase embedded) {
    this.settings = settings;
    this.address = address;
    this.embedded = embedded;
    this.server = facts(settings, address);
    this.pool = pool(settings, address, server);
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
      return new Database(settings, address, null);
    }
    EmbeddedDatabase embedded = EmbeddedDatabase.start(dataFolder);
    try {
      DatabaseAddress address = embedded.address();
      return new Database(settings, address, embedded);
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
    single.setPrepareThreshold(0); // nothing that a pooler between us and the server must remember
    return single;
  }

  /**
   * Opens a small pool of its own for pages, so that they can never starve what moves jobs. It is
   * the caller's to close.
   *
   * @param size connections at most
   * @param statementTimeout of every statement; whoever needs longer is told that it failed
   */
  public HikariDataSource forPages(int size, Duration statementTimeout) {
    return ConnectionPool.ofPages(settings, address, server, size, statementTimeout);
  }

  /** Where this database is, embedded or not, for another process of this machine. */
  public DatabaseSettings address() {
    return new DatabaseSettings(
        address.jdbcUrl(),
        address.user(),
        address.password(),
        settings.poolSizeMax(),
        settings.durability(),
        settings.socketTimeout());
  }

  /** Closes the pool, then the embedded server. */
  @Override
  public void close() {
    pool.close();
    if (embedded != null) {
      embedded.close();
    }
  }

  private static HikariDataSource pool(
      DatabaseSettings settings, DatabaseAddress address, ServerFacts server) {
    judge(server, settings, address);
    try {
      return ConnectionPool.open(settings, address, server);
    } catch (PoolInitializationException e) {
      String reason = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      throw new DatabaseException("cannot reach the database at " + address + ": " + reason, e);
    } catch (RuntimeException e) {
      throw new DatabaseException("the database address " + address + " is refused: " + e, e);
    }
  }

  private static ServerFacts facts(DatabaseSettings settings, DatabaseAddress address) {
    try (Connection connection = ConnectionPool.single(settings, address)) {
      return ServerFacts.of(connection);
    } catch (SQLException e) {
      throw new DatabaseException(
          "cannot reach the database at " + address + ": " + e.getMessage(), e);
    }
  }

  private static void judge(
      ServerFacts server, DatabaseSettings settings, DatabaseAddress address) {
    server
        .tooOld()
        .ifPresent(
            why -> {
              throw new DatabaseException("the database at " + address + " is refused: " + why);
            });
    List<String> forgetful = server.forgetful();
    if (!forgetful.isEmpty() && settings.durability() == Durability.REQUIRED) {
      throw new DatabaseException(
          "the database at "
              + address
              + " is refused, for it may forget what it has acknowledged. "
              + String.join("; ", forgetful)
              + ". Switch it on, or say database.durability: waived");
    }
    Stream.concat(forgetful.stream(), server.doubtful().stream())
        .forEach(warning -> LOG.warn("{}: {}", address, warning));
    if (server.lent()) {
      LOG.info(
          "{}: a connection pooler lends the server's connections out; no statements are prepared"
              + " by name",
          address);
    }
  }
}
