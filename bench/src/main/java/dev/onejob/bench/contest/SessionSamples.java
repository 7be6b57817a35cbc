package dev.onejob.bench.contest;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Looks every few milliseconds at what the sessions of a database wait for, until it is closed. */
final class SessionSamples {
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final String LOCK = "Lock";
  private static final String LATCH = "LWLock";

  private static final String SESSIONS =
      """
      SELECT
        coalesce(wait_event_type, 'none') AS sort, coalesce(wait_event, 'none') AS event,
        count(*) AS sessions
      FROM pg_stat_activity
      WHERE datname = ? AND state = 'active' AND pid <> pg_backend_pid()
      GROUP BY sort, event
      """;

  private static final String DEADLOCKS =
      "SELECT deadlocks FROM pg_stat_database WHERE datname = ?";

  private final String url;
  private final String database;
  private final Map<String, Long> seen = new TreeMap<>(); // of the one thread until it has ended
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final CompletableFuture<Seen> result;

  /**
   * What was seen.
   *
   * @param active sessions at work, added up over all looks
   * @param waits of these: how often each wait was seen, by its sort and name
   * @param deadlocks of that database, ever
   */
  record Seen(long active, Map<String, Long> waits, long deadlocks) {
    /** The part of the sessions at work that waited for locks: rows and transactions. */
    double locks() {
      return part(LOCK);
    }

    /** The part that waited for latches of PostgreSQL's own memory. */
    double latches() {
      return part(LATCH);
    }

    private double part(String sort) {
      long waited =
          waits.entrySet().stream()
              .filter(each -> each.getKey().startsWith(sort + " "))
              .mapToLong(Map.Entry::getValue)
              .sum();
      return active == 0 ? 0 : waited / (double) active;
    }
  }

  private SessionSamples(String url, String database) {
    this.url = url;
    this.database = database;
    this.result = CompletableFuture.supplyAsync(this::look, Thread.ofPlatform()::start);
  }

  /**
   * Begins.
   *
   * @param url of any database of the server, for a session that is not counted
   */
  static SessionSamples begin(String url, String database) {
    return new SessionSamples(url, database);
  }

  /** Ends, and gives what was seen. */
  Seen end() {
    end.complete(null);
    return result.join();
  }

  private Seen look() {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement sessions = connection.prepareStatement(SESSIONS);
        PreparedStatement deadlocks = connection.prepareStatement(DEADLOCKS)) {
      sessions.setString(1, database);
      deadlocks.setString(1, database);
      long active = 0;
      while (!end.isDone()) {
        active += add(sessions);
        Thread.sleep(PAUSE);
      }
      try (ResultSet row = deadlocks.executeQuery()) {
        row.next();
        return new Seen(active, seen, row.getLong("deadlocks"));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private long add(PreparedStatement sessions) throws SQLException {
    long active = 0;
    try (ResultSet rows = sessions.executeQuery()) {
      while (rows.next()) {
        long some = rows.getLong("sessions");
        seen.merge(rows.getString("sort") + " " + rows.getString("event"), some, Long::sum);
        active += some;
      }
    }
    return active;
  }
}
