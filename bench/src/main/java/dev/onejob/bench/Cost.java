package dev.onejob.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * What has been spent so far.
 *
 * @param ours processor time of this process
 * @param children processor time of the processes that it started and that live: PostgreSQL's
 * @param commits transactions of one database
 */
record Cost(Duration ours, Duration children, long commits) {
  private static final String COMMITS =
      """
      SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()
      """;

  static Cost now(String url, long postmaster) throws SQLException {
    return new Cost(
        spent(ProcessHandle.current()),
        ProcessHandle.of(postmaster)
            .orElseThrow()
            .descendants()
            .map(Cost::spent)
            .reduce(Duration.ZERO, Duration::plus),
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

  Cost minus(Cost earlier) {
    return new Cost(
        ours.minus(earlier.ours), children.minus(earlier.children), commits - earlier.commits);
  }
}
