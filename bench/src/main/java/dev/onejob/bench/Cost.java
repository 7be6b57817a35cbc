package dev.onejob.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * What has been spent.
 *
 * @param java processor time of this process
 * @param postgres processor time of the processes of PostgreSQL that live
 * @param commits transactions of one database
 */
record Cost(Duration java, Duration postgres, long commits) {
  static final Cost NOTHING = new Cost(Duration.ZERO, Duration.ZERO, 0);

  private static final String COMMITS =
      """
      SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()
      """;

  /** What has been spent up to now. */
  static Cost now(String url, ProcessHandle postmaster) throws SQLException {
    return new Cost(
        spent(ProcessHandle.current()),
        postmaster.descendants().map(Cost::spent).reduce(Duration.ZERO, Duration::plus),
        commits(url));
  }

  private static Duration spent(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private static long commits(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(COMMITS)) {
      row.next();
      return row.getLong(1);
    }
  }

  Cost plus(Cost other) {
    return new Cost(java.plus(other.java), postgres.plus(other.postgres), commits + other.commits);
  }

  Cost minus(Cost other) {
    return new Cost(
        java.minus(other.java), postgres.minus(other.postgres), commits - other.commits);
  }
}
