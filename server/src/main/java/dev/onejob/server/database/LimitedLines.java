package dev.onejob.server.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Lines on which no statement lasts longer than a limit, for servers whose own limit cannot be set
 * for a line, as it is lent out by a pooler. The driver asks the server to cancel what lasts
 * longer; a pooler passes that on. A line that was only cut would leave the statement running.
 */
final class LimitedLines extends PGSimpleDataSource {
  private static final long serialVersionUID = 1;

  private final int seconds;

  /**
   * To the server.
   *
   * @param line what the driver is told besides
   * @param limit of every statement; whole seconds are counted, the last one up
   */
  LimitedLines(DatabaseAddress address, Properties line, Duration limit) {
    setURL(address.jdbcUrl());
    try {
      for (String name : line.stringPropertyNames()) {
        setProperty(name, line.getProperty(name));
      }
    } catch (SQLException e) {
      throw new DatabaseException("the driver does not know what it is told", e);
    }
    this.seconds = Math.toIntExact(limit.plusMillis(999).toSeconds());
  }

  @Override
  public Connection getConnection(@Nullable String user, @Nullable String password)
      throws SQLException {
    Connection line = super.getConnection(user, password);
    return (Connection)
        Proxy.newProxyInstance(
            LimitedLines.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> limited(called(line, method, arguments)));
  }

  private static @Nullable Object called(
      Connection line, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(line, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private @Nullable Object limited(@Nullable Object made) throws SQLException {
    if (made instanceof Statement statement) {
      statement.setQueryTimeout(seconds);
    }
    return made;
  }
}
