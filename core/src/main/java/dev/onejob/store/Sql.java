package dev.onejob.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A thin hand on JDBC: named parameters, transactions that repeat themselves after a deadlock or a
 * serialization failure, and errors by condition.
 */
final class Sql {
  /** Repeats of one transaction before the failure is shown; each waits a little longer. */
  private static final int REPEATS_MAX = 12;

  private static final long FIRST_PAUSE_NANOS = 500_000;

  /** Longest pause between two repeats: 2^6 times the first, 32 ms. */
  private static final int DOUBLINGS_MAX = 6;

  private static final Map<String, Parsed> PARSED = new ConcurrentHashMap<>();
  private static final Map<List<String>, String> JOINED = new ConcurrentHashMap<>();

  private final DataSource database;

  Sql(DataSource database) {
    this.database = database;
  }

  /** Work inside one transaction. */
  interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  /** Reads one row. */
  interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /**
   * Runs the work in one transaction and commits. After a deadlock (40P01) or a serialization
   * failure (40001) the whole of it is repeated.
   *
   * @throws LockTimeout if a lock was not to be had in the time that the work set
   * @throws StoreException for every other failure; nothing was committed, unless the connection
   *     broke during the commit
   */
  <T> T transaction(Work<T> work) {
    return repeating(
        () -> {
          try (Connection connection = connection()) {
            connection.setAutoCommit(false);
            return committed(connection, work);
          }
        });
  }

  private static <T> T committed(Connection connection, Work<T> work) throws SQLException {
    try {
      T result = work.in(connection);
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      rollBack(connection, e);
      throw e;
    }
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  /**
   * Runs one text on its own, in one round trip, and commits with it. A text of several statements
   * is one transaction too: PostgreSQL ends the implicit transaction at the driver's single Sync.
   */
  <T> T alone(Work<T> work) {
    return repeating(
        () -> {
          try (Connection connection = connection()) {
            return work.in(connection);
          }
        });
  }

  private Connection connection() throws SQLException {
    try {
      return database.getConnection();
    } catch (SQLException e) {
      if (repeatable(e)) {
        throw e;
      }
      throw new StoreException.NotConnected(e);
    }
  }

  private interface Try<T> {
    T run() throws SQLException;
  }

  private static <T> T repeating(Try<T> attempt) {
    for (int repeats = 0; ; repeats++) {
      try {
        return attempt.run();
      } catch (SQLException e) {
        if (!repeatable(e) || repeats >= REPEATS_MAX) {
          throw StoreException.of(e);
        }
        pause(repeats);
      }
    }
  }

  private static boolean repeatable(SQLException e) {
    return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
  }

  private static void pause(int repeats) {
    long longest = FIRST_PAUSE_NANOS << Math.min(repeats, DOUBLINGS_MAX);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
  }

  /** Runs the text, which may hold several statements, and reads the rows of the last one. */
  static <T> List<T> query(Connection connection, String text, Params params, RowMapper<T> mapper)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, text, params)) {
      List<ResultSet> results = results(statement);
      return results.isEmpty() ? List.of() : rows(results.getLast(), mapper);
    }
  }

  /** All rows that are left. */
  static <T> List<T> rows(ResultSet rows, RowMapper<T> mapper) throws SQLException {
    List<T> read = new ArrayList<>();
    while (rows.next()) {
      read.add(mapper.map(rows));
    }
    return read;
  }

  /** Runs it; what its statements that give rows have given, in their order. */
  static List<ResultSet> results(PreparedStatement statement) throws SQLException {
    List<ResultSet> results = new ArrayList<>();
    boolean rows = statement.execute();
    while (rows || statement.getUpdateCount() != -1) {
      if (rows) {
        results.add(statement.getResultSet());
      }
      rows = statement.getMoreResults(Statement.KEEP_CURRENT_RESULT);
    }
    return results;
  }

  /** Several whole statements, which run in their order, in one round trip. */
  static PreparedStatement prepare(Connection connection, List<String> texts, Params params)
      throws SQLException {
    String joined = JOINED.computeIfAbsent(List.copyOf(texts), all -> String.join(";", all));
    return prepare(connection, joined, params);
  }

  static PreparedStatement prepare(Connection connection, String text, Params params)
      throws SQLException {
    Parsed parsed = PARSED.computeIfAbsent(text, Parsed::of);
    PreparedStatement statement = connection.prepareStatement(parsed.sql);
    try {
      params.bind(connection, statement, parsed.names);
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
    return statement;
  }

  /** A statement with its named parameters in order of their places. */
  private record Parsed(String sql, List<String> names) {
    private static final Pattern NAME = Pattern.compile("(?<!:):([a-z_]+)");

    static Parsed of(String text) {
      List<String> names = new ArrayList<>();
      Matcher matcher = NAME.matcher(text);
      String sql =
          matcher.replaceAll(
              found -> {
                names.add(found.group(1));
                return "?";
              });
      return new Parsed(sql, List.copyOf(names));
    }
  }
}
