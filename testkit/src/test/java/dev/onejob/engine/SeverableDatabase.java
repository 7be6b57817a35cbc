package dev.onejob.engine;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A way to a database that can be cut, for one node alone, and mended again. */
final class SeverableDatabase implements DataSource {
  private final DataSource database;
  private final List<Connection> given = new CopyOnWriteArrayList<>();
  private volatile boolean cut;

  SeverableDatabase(DataSource database) {
    this.database = database;
  }

  /** From now on nothing gets through, by old connections or new ones. */
  synchronized void cut() {
    cut = true;
    for (Connection connection : given) {
      try {
        connection.abort(Runnable::run); // a close would wait for whoever reads from it
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    given.clear();
  }

  void mend() {
    cut = false;
  }

  @Override
  public Connection getConnection() throws SQLException {
    requireNotCut();
    return give(database.getConnection());
  }

  private void requireNotCut() throws SQLException {
    if (cut) {
      throw new SQLException("the way to the database is cut", "08006");
    }
  }

  /** One that was on its way while the way was cut does not get through either. */
  private synchronized Connection give(Connection connection) throws SQLException {
    if (cut) {
      connection.close();
    }
    requireNotCut();
    given.removeIf(SeverableDatabase::isClosed);
    given.add(connection);
    return connection;
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return database.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    database.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    database.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return database.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return database.getParentLogger();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return database.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return database.isWrapperFor(type);
  }
}
