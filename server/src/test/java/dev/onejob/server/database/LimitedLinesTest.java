package dev.onejob.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.testkit.PostgresExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.PGConnection;

@Timeout(120)
class LimitedLinesTest {
  private static final ServerFacts LENT =
      new ServerFacts(170_000, "17", "on", "on", "on", "", /* lent= */ true);

  @RegisterExtension static final PostgresExtension postgres = new PostgresExtension();

  @Test
  void behind_a_pooler_a_page_that_takes_too_long_ends_at_the_server_too() throws SQLException {
    DatabaseSettings settings = DatabaseSettings.of(postgres.url());
    try (HikariDataSource pages =
            ConnectionPool.ofPages(
                settings,
                DatabaseAddress.of(settings, postgres.url()),
                LENT,
                1,
                Duration.ofMillis(300));
        Connection page = pages.getConnection()) {
      assertThat(page.isWrapperFor(PGConnection.class)).isTrue();
      try (Statement statement = page.createStatement()) {
        assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(300) AS a_page"))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
      }
      assertThat(page.isValid(5)).isTrue();
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> sleeping() == 0);
  }

  private static int sleeping() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT count(*) FROM pg_stat_activity
                 WHERE state = 'active' AND query LIKE '%AS a_page%' AND pid <> pg_backend_pid()
                """)) {
      row.next();
      return row.getInt(1);
    }
  }
}
