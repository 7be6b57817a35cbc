package dev.onejob.store;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/**
 * A second session in a forced order: it holds what it was told to hold, and the test waits until
 * the session under test is seen to be blocked by it.
 */
final class TwoSessions implements AutoCloseable {
  private final DataSource database;
  private final Connection holder;

  TwoSessions(DataSource database) throws SQLException {
    this.database = database;
    this.holder = database.getConnection();
    holder.setAutoCommit(false);
  }

  /** Runs a statement in the holding session, and leaves its transaction open. */
  void hold(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = holder.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    }
  }

  void commit() throws SQLException {
    holder.commit();
  }

  void rollBack() throws SQLException {
    holder.rollback();
  }

  /** Starts something in another session. */
  static <T> Future<T> meanwhile(Callable<T> work) {
    CompletableFuture<T> future = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                future.complete(work.call());
              } catch (Exception e) {
                future.completeExceptionally(e);
              }
            });
    return future;
  }

  /** Waits until that many sessions are blocked by a lock. */
  void awaitBlocked(int sessions) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(60))
        .until(() -> blocked() >= sessions);
  }

  private int blocked() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Override
  public void close() throws SQLException {
    holder.rollback();
    holder.close();
  }
}
