package dev.onejob.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** What has been spent up to a moment. */
final class Cost {
  private static final String COMMITS =
      """
      SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()
      """;

  private final Duration java;
  private final Map<Long, Duration> postgres;
  private final long commits;

  private Cost(Duration java, Map<Long, Duration> postgres, long commits) {
    this.java = java;
    this.postgres = postgres;
    this.commits = commits;
  }

  /**
   * What was spent between two moments.
   *
   * @param java processor time of this process
   * @param postgres processor time of PostgreSQL, without processes that came or went meanwhile
   * @param commits transactions of one database
   */
  record Spent(Duration java, Duration postgres, long commits) {
    static final Spent NOTHING = new Spent(Duration.ZERO, Duration.ZERO, 0);

    Spent plus(Spent other) {
      return new Spent(
          java.plus(other.java), postgres.plus(other.postgres), commits + other.commits);
    }
  }

  static Cost now(String url, ProcessHandle postmaster) throws SQLException {
    return new Cost(
        spent(ProcessHandle.current()),
        postmaster.descendants().collect(Collectors.toMap(ProcessHandle::pid, Cost::spent)),
        commits(url));
  }

  Spent since(Cost earlier) {
    Duration sum = Duration.ZERO;
    for (Map.Entry<Long, Duration> process : postgres.entrySet()) {
      Duration before = earlier.postgres.getOrDefault(process.getKey(), process.getValue());
      sum = sum.plus(process.getValue()).minus(before);
    }
    return new Spent(java.minus(earlier.java), sum, commits - earlier.commits);
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
}
