package dev.onejob.server.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.server.config.DatabaseSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/**
 * How a node holds its lines to the server: none of them can hang for ever, and a dead one is
 * noticed and replaced without anyone's help.
 */
final class ConnectionPool {
  /** One address of several may be black-holed: the next one's turn must come soon. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** All addresses together, authentication included. */
  private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(20);

  /** How long a thread waits for a free connection before it is told that there is none. */
  private static final Duration BORROW_TIMEOUT = Duration.ofSeconds(10);

  /** A line that was idle is asked before it is lent; the dead must not use up the borrower. */
  private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);

  /** Idle lines are asked this often, so that firewalls keep them and the dead are found early. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

  private ConnectionPool() {}

  /** One connection outside of any pool, to look at the server. */
  static Connection single(DatabaseSettings settings, DatabaseAddress address) throws SQLException {
    Properties properties = lineProperties(settings);
    if (address.user() != null) {
      properties.setProperty("user", address.user());
    }
    if (address.password() != null) {
      properties.setProperty("password", address.password());
    }
    return DriverManager.getConnection(address.jdbcUrl(), properties);
  }

  static HikariDataSource open(
      DatabaseSettings settings, DatabaseAddress address, ServerFacts server) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("onejob");
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(settings.poolSizeMax());
    config.setMinimumIdle(Math.min(2, settings.poolSizeMax()));
    config.setConnectionTimeout(BORROW_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(LOGIN_TIMEOUT.toMillis());
    config.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
    config.setKeepaliveTime(KEEP_ALIVE.toMillis());
    config.setDataSourceProperties(lineProperties(settings));
    if (server.lent()) {
      // A statement by name would be looked for at whichever server connection is lent next.
      config.addDataSourceProperty("prepareThreshold", "0");
    } else {
      // The server must let go of the jobs of a node that froze or vanished amid a transaction; by
      // itself it would hold them until TCP gives the line up, two hours later.
      config.addDataSourceProperty(
          "options",
          "-c idle_in_transaction_session_timeout=" + settings.socketTimeout().toMillis());
    }
    return new HikariDataSource(config);
  }

  /** A page waits for a connection hardly longer than for its statement. */
  private static final Duration PAGE_BORROW_TIMEOUT = Duration.ofSeconds(2);

  static HikariDataSource ofPages(
      DatabaseSettings settings,
      DatabaseAddress address,
      ServerFacts server,
      int size,
      Duration statementTimeout) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("onejob-pages");
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(PAGE_BORROW_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(-1); // a dashboard may open while its database is away
    config.setValidationTimeout(Duration.ofSeconds(1).toMillis());
    Properties line = lineProperties(settings);
    line.setProperty("ApplicationName", "onejob-pages");
    line.setProperty("socketTimeout", seconds(statementTimeout.plus(Duration.ofSeconds(2))));
    if (server.lent()) {
      line.setProperty("prepareThreshold", "0");
      config.setDataSource(new LimitedLines(address, line, statementTimeout));
    } else {
      // What pages ask ends early by its limit; compiling it would take longer than it does. And a
      // plan for any filter is a plan for none: filters that are not set must not cost anything.
      line.setProperty(
          "options",
          "-c jit=off -c plan_cache_mode=force_custom_plan -c statement_timeout="
              + statementTimeout.toMillis()
              + " -c idle_in_transaction_session_timeout="
              + settings.socketTimeout().toMillis());
      config.setJdbcUrl(address.jdbcUrl());
      config.setDataSourceProperties(line);
    }
    config.setUsername(address.user());
    config.setPassword(address.password());
    return new HikariDataSource(config);
  }

  private static Properties lineProperties(DatabaseSettings settings) {
    Properties line = new Properties();
    line.setProperty("ApplicationName", "onejob");
    line.setProperty("connectTimeout", seconds(CONNECT_TIMEOUT));
    line.setProperty("loginTimeout", seconds(LOGIN_TIMEOUT));
    line.setProperty("socketTimeout", seconds(settings.socketTimeout()));
    line.setProperty("tcpKeepAlive", "true");
    return line;
  }

  private static String seconds(Duration duration) {
    return String.valueOf(duration.toSeconds());
  }
}
