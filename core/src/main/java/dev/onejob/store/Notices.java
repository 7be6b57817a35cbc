package dev.onejob.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wake-ups between nodes, by LISTEN and NOTIFY. A notice is a hint and carries no data: one that is
 * missed costs time, not truth. It is sent outside of any move, so that it can fail none.
 */
public final class Notices {
  private static final String NOTIFY = "NOTIFY onejob_due";
  private static final String LISTEN = "LISTEN onejob_due";

  private final DataSource database;

  public Notices(DataSource database) {
    this.database = database;
  }

  /** Tells all nodes that jobs are due. */
  public void send() {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(NOTIFY);
    } catch (SQLException e) {
      throw StoreException.of(e);
    }
  }

  /** Starts to listen, on a connection of its own. */
  public Listening listen() {
    try {
      Connection connection = database.getConnection();
      try (Statement statement = connection.createStatement()) {
        statement.execute(LISTEN);
        return new Listening(connection, connection.unwrap(PGConnection.class));
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw StoreException.of(e);
    }
  }

  /** A connection that listens. */
  public static final class Listening implements AutoCloseable {
    private final Connection connection;
    private final PGConnection notices;

    private Listening(Connection connection, PGConnection notices) {
      this.connection = connection;
      this.notices = notices;
    }

    /** Waits for notices, which are merged: whether any came. */
    public boolean await(Duration atMost) {
      try {
        PGNotification[] came = notices.getNotifications((int) atMost.toMillis());
        return came != null && came.length > 0;
      } catch (SQLException e) {
        throw StoreException.of(e);
      }
    }

    @Override
    public void close() {
      try (connection;
          Statement statement = connection.createStatement()) {
        statement.execute("UNLISTEN *");
      } catch (SQLException e) {
        throw StoreException.of(e);
      }
    }
  }
}
