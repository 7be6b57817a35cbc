package dev.onejob.store;

import static org.awaitility.Awaitility.await;

import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** How many rows PostgreSQL reads for something, and entries that its indexes give it. */
final class RowsRead {
  private static final Duration TOLD_WITHIN = Duration.ofSeconds(60);

  private RowsRead() {}

  private static final String READ =
      """
      SELECT
        (SELECT coalesce(sum(idx_scan), 0)
         FROM pg_stat_user_tables WHERE schemaname = 'onejob') AS scans,
        (SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0)
         FROM pg_stat_user_tables WHERE schemaname = 'onejob')
        + (SELECT coalesce(sum(idx_tup_read), 0)
           FROM pg_stat_user_indexes WHERE schemaname = 'onejob') AS rows
      """;

  private record Reading(long scans, long rows) {}

  /** Of what is done over connections of its own: what each has read is told as it is closed. */
  static long by(PostgresExtension postgres, Consumer<DataSource> look) throws SQLException {
    run(postgres, "ANALYZE");
    run(postgres, "SELECT pg_stat_reset()");
    PGSimpleDataSource unpooled = new PGSimpleDataSource();
    unpooled.setUrl(postgres.url());
    look.accept(unpooled);
    return await()
        .atMost(TOLD_WITHIN)
        .until(() -> reading(postgres), reading -> reading.scans() > 0)
        .rows();
  }

  private static void run(PostgresExtension postgres, String sql) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Reading reading(PostgresExtension postgres) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(READ)) {
      row.next();
      return new Reading(row.getLong("scans"), row.getLong("rows"));
    }
  }
}
