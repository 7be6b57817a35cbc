package dev.onejob.bench.contest;

import dev.onejob.bench.Ground;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The statements that write, as {@code pg_stat_statements} counts them while this is open. */
final class WriteCounts implements AutoCloseable {
  private static final String RESET = "SELECT pg_stat_statements_reset()";

  /** Also what stands within another statement, or is called by a function. */
  private static final String WRITTEN =
      """
      SELECT coalesce(sum(s.calls), 0) AS statements, coalesce(sum(s.rows), 0) AS written
      FROM pg_stat_statements AS s
      JOIN pg_database AS d ON d.oid = s.dbid
      WHERE
        d.datname = ?
        AND (
          s.query ~* '(insert\\s+into|delete\\s+from|merge\\s+into)\\M'
          OR s.query ~* 'update\\s+\\S+(\\s+(as\\s+)?\\w+)?\\s+set\\M')
      """;

  private final Ground ground;
  private final String database;

  /**
   * What was counted.
   *
   * @param statements that were run
   * @param rows that they wrote or gave back
   */
  record Written(long statements, long rows) {}

  private WriteCounts(Ground ground, String database) {
    this.ground = ground;
    this.database = database;
  }

  /** Begins to count what is written in a database. */
  static WriteCounts begin(Ground ground, String database) throws SQLException {
    ground.countStatements(true);
    try (Connection connection = DriverManager.getConnection(ground.own());
        Statement statement = connection.createStatement()) {
      statement.execute(RESET);
    }
    return new WriteCounts(ground, database);
  }

  Written written() throws SQLException {
    try (Connection connection = DriverManager.getConnection(ground.own());
        PreparedStatement statement = connection.prepareStatement(WRITTEN)) {
      statement.setString(1, database);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Written(row.getLong("statements"), row.getLong("written"));
      }
    }
  }

  @Override
  public void close() throws SQLException {
    ground.countStatements(false);
  }
}
