package dev.onejob.providers.sandbox;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.providers.sandbox.SandboxLedger.Arrival;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What sandboxes over one database remember of the requests of providers that can be asked, and
 * which key is bound to which. An unknown key can be closed; then it is never bound again.
 */
final class SandboxMemory {
  private final DataSource database;

  SandboxMemory(DataSource database) {
    this.database = database;
  }

  /** What a request's key was found bound to. */
  sealed interface Binding {
    /** To this request. */
    record Own() implements Binding {}

    /** To an earlier one. */
    record Earlier(long call) implements Binding {}

    /** To none, for good. */
    record Closed() implements Binding {}
  }

  private static final String KEEP =
      """
      UPDATE onejob_server.sandbox_call
         SET provider_key = ?, input = ?
       WHERE id = ?
      """;

  private static final String BIND =
      """
      INSERT INTO onejob_server.sandbox_key (provider, provider_key, call)
      VALUES (?, ?, ?)
      ON CONFLICT (provider, provider_key) DO NOTHING
      """;

  private static final String BOUND =
      """
      SELECT call
        FROM onejob_server.sandbox_key
       WHERE provider = ? AND provider_key = ?
      """;

  /** Keeps a request, and binds its key to it if it is not bound. */
  Binding keep(Arrival arrival, String provider, String key, byte[] input) {
    return inOneTransaction(
        connection -> {
          update(connection, KEEP, key, input, arrival.id());
          update(connection, BIND, provider, key, arrival.id());
          return bound(connection, provider, key, arrival.id());
        });
  }

  private static Binding bound(Connection connection, String provider, String key, long own)
      throws SQLException {
    try (PreparedStatement look = connection.prepareStatement(BOUND)) {
      set(look, provider, key);
      try (ResultSet rows = look.executeQuery()) {
        rows.next();
        long call = rows.getLong(1);
        if (rows.wasNull()) {
          return new Binding.Closed();
        }
        return call == own ? new Binding.Own() : new Binding.Earlier(call);
      }
    }
  }

  private static final String REBIND =
      """
      UPDATE onejob_server.sandbox_key
         SET call = ?
       WHERE provider = ? AND provider_key = ? AND call = ?
      """;

  /** Binds a key anew, if it is still bound to that request; whether it was. */
  boolean rebind(String provider, String key, long from, long to) {
    return inOneTransaction(c -> update(c, REBIND, to, provider, key, from) == 1);
  }

  private static final String CLOSE =
      """
      INSERT INTO onejob_server.sandbox_key (provider, provider_key)
      VALUES (?, ?)
      ON CONFLICT (provider, provider_key) DO NOTHING
      """;

  private static final String CLOSE_BOUND =
      """
      UPDATE onejob_server.sandbox_key
         SET call = NULL
       WHERE provider = ? AND provider_key = ? AND call = ?
      """;

  /** Closes a key for good that nothing is bound to; nothing happens if something is by now. */
  void close(String provider, String key) {
    inOneTransaction(c -> update(c, CLOSE, provider, key));
  }

  /** Closes a key for good that is bound to a request which was never taken up. */
  void close(String provider, String key, long call) {
    inOneTransaction(c -> update(c, CLOSE_BOUND, provider, key, call));
  }

  private static final String ASK_BY_KEY =
      """
      UPDATE onejob_server.sandbox_call AS c
         SET asked = c.asked + 1
        FROM onejob_server.sandbox_key AS k
       WHERE k.provider = ? AND k.provider_key = ? AND c.id = k.call
      RETURNING
        c.id, c.job, c.attempt, c.provider, c.input, c.acted_at IS NOT NULL AS acted, c.asked,
        extract(epoch FROM clock_timestamp() - c.received_at) * 1000 AS age_ms,
        (SELECT count(*)
           FROM onejob_server.sandbox_call AS b
          WHERE b.job = c.job AND b.provider = c.provider AND b.id <= c.id) AS turn
      """;

  /** Somebody asks about the request that a key is bound to. */
  Optional<Remembered> askedByKey(String provider, String key) {
    return inOneTransaction(c -> remembered(c, ASK_BY_KEY, provider, key));
  }

  private static final String ASK_BY_ID =
      """
      UPDATE onejob_server.sandbox_call AS c
         SET asked = c.asked + 1
       WHERE c.provider = ? AND c.id = ? AND c.input IS NOT NULL
      RETURNING
        c.id, c.job, c.attempt, c.provider, c.input, c.acted_at IS NOT NULL AS acted, c.asked,
        extract(epoch FROM clock_timestamp() - c.received_at) * 1000 AS age_ms,
        (SELECT count(*)
           FROM onejob_server.sandbox_call AS b
          WHERE b.job = c.job AND b.provider = c.provider AND b.id <= c.id) AS turn
      """;

  /** Somebody asks about a request by the sandbox's own id of it. */
  Optional<Remembered> askedById(String provider, long id) {
    return inOneTransaction(c -> remembered(c, ASK_BY_ID, provider, id));
  }

  private static final String LOOK =
      """
      SELECT
        c.id, c.job, c.attempt, c.provider, c.input, c.acted_at IS NOT NULL AS acted, c.asked,
        extract(epoch FROM clock_timestamp() - c.received_at) * 1000 AS age_ms,
        (SELECT count(*)
           FROM onejob_server.sandbox_call AS b
          WHERE b.job = c.job AND b.provider = c.provider AND b.id <= c.id) AS turn
        FROM onejob_server.sandbox_call AS c
       WHERE c.id = ?
      """;

  /** A request that a key is bound to. */
  Remembered bound(long call) {
    return inOneTransaction(c -> remembered(c, LOOK, call)).orElseThrow();
  }

  private static Optional<Remembered> remembered(
      Connection connection, String text, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      set(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? Optional.of(remembered(rows)) : Optional.empty();
      }
    }
  }

  private static Remembered remembered(ResultSet row) throws SQLException {
    return new Remembered(
        row.getLong("id"),
        JobId.parse(row.getString("job")).orElseThrow(),
        AttemptId.parse(row.getString("attempt")).orElseThrow(),
        row.getString("provider"),
        row.getInt("turn"),
        row.getBytes("input"),
        row.getLong("age_ms"),
        row.getBoolean("acted"),
        row.getInt("asked"));
  }

  private static int update(Connection connection, String text, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      set(statement, values);
      return statement.executeUpdate();
    }
  }

  private static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  private interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  private <T> T inOneTransaction(Work<T> work) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.in(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the sandbox could not remember", e);
    }
  }
}
