package dev.onejob.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Wake-ups between nodes, by LISTEN and NOTIFY. A notice is a hint and carries no data but who has
 * sent it: one that is missed costs time, not truth. It is sent outside of any move, so that it can
 * fail none.
 */
public final class Notices {
  private static final String DUE = "onejob_due";

  private static final String PROVIDERS = "onejob_providers";

  /** It is lost with the server anyway: nobody waits until its commit is on the disk. */
  private static final String NOTIFY =
      """
      SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)
      """;

  private static final String LISTEN_DUE = "LISTEN onejob_due";
  private static final String LISTEN_PROVIDERS = "LISTEN onejob_providers";
  private static final String SERVED_BY = "SELECT pg_backend_pid()";

  /** How long a line may owe the answer to a question before it is taken for dead. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private final DataSource database;

  /** What sets this node apart from others, also from one of the same name. */
  private final String sender = UUID.randomUUID().toString();

  public Notices(DataSource database) {
    this.database = database;
  }

  /** What a node should look at. */
  public enum News {
    /** Jobs are due. Whoever says so knows it: it does not hear of it again. */
    DUE,
    /** A provider has begun to fail, or to break a contract. */
    PROVIDERS
  }

  /** Tells the nodes. */
  public void send(News news) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(NOTIFY)) {
      statement.setString(
          1,
          switch (news) {
            case DUE -> DUE;
            case PROVIDERS -> PROVIDERS;
          });
      statement.setString(2, sender);
      statement.execute();
    } catch (SQLException e) {
      throw StoreException.of(e);
    }
  }

  /**
   * Starts to listen, on a connection of its own. Empty where a pooler such as PgBouncer lends the
   * server's connections out: it would give the notices to whoever comes next.
   */
  public Optional<Listening> listen() {
    try {
      Connection connection = database.getConnection();
      try {
        Optional<Listening> listening = listenOn(connection);
        if (listening.isEmpty()) {
          connection.close();
        }
        return listening;
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw StoreException.of(e);
    }
  }

  private Optional<Listening> listenOn(Connection connection) throws SQLException {
    PGConnection notices = connection.unwrap(PGConnection.class);
    if (isLent(connection, notices)) {
      return Optional.empty();
    }
    // A line that swallows everything would look like one on which nothing happens.
    connection.setNetworkTimeout(Runnable::run, (int) ANSWER_WITHIN.toMillis());
    Listening listening = new Listening(connection, notices, sender);
    listening.listen();
    return Optional.of(listening);
  }

  /** A pooler makes up its own answer to which process of the server is on the line. */
  private static boolean isLent(Connection connection, PGConnection line) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SERVED_BY)) {
      row.next();
      return row.getInt(1) != line.getBackendPID();
    }
  }

  /** A connection that listens. */
  public static final class Listening implements AutoCloseable {
    private final Connection connection;
    private final PGConnection notices;
    private final String self;

    private Listening(Connection connection, PGConnection notices, String self) {
      this.connection = connection;
      this.notices = notices;
      this.self = self;
    }

    private void listen() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(LISTEN_DUE);
        statement.execute(LISTEN_PROVIDERS);
      }
    }

    /**
     * Waits for notices, which are merged.
     *
     * @return what came from others, nothing if there was only our own; empty if nothing came at
     *     all
     */
    public Optional<Set<News>> await(Duration atMost) {
      try {
        PGNotification[] came = notices.getNotifications((int) atMost.toMillis());
        return came == null || came.length == 0 ? Optional.empty() : Optional.of(ofOthers(came));
      } catch (SQLException e) {
        throw StoreException.of(e);
      }
    }

    private Set<News> ofOthers(PGNotification[] came) {
      Set<News> news = EnumSet.noneOf(News.class);
      for (PGNotification notice : came) {
        if (notice.getName().equals(PROVIDERS)) {
          news.add(News.PROVIDERS);
        } else if (!notice.getParameter().equals(self)) {
          news.add(News.DUE);
        }
      }
      return news;
    }

    /**
     * Asks the server for a sign of life: listening again changes nothing.
     *
     * @throws StoreException if none comes within 10 s
     */
    public void checkAlive() {
      try {
        listen();
      } catch (SQLException e) {
        throw StoreException.of(e);
      }
    }

    @Override
    public void close() {
      try (connection;
          Statement statement = connection.createStatement()) {
        statement.execute("UNLISTEN *");
        connection.setNetworkTimeout(Runnable::run, 0);
      } catch (SQLException e) {
        throw StoreException.of(e);
      }
    }
  }
}
