package dev.onejob.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.config.DatabaseSettings.Durability;
import dev.onejob.testkit.FaultyLine;
import dev.onejob.testkit.PostgresExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A line on which everything vanishes, seen from both of its ends. */
class DeadLineTest {
  private static final Pattern ADDRESS = Pattern.compile("//[^:/]+:(\\d+)/([^?]+)");
  private static final String LOCK = "LOCK TABLE onejob.job IN EXCLUSIVE MODE NOWAIT";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();
  @TempDir Path folder;

  @Test
  void ends_after_the_socket_timeout_for_the_node_and_for_the_server_that_holds_its_locks()
      throws Exception {
    Matcher address = ADDRESS.matcher(postgres.url());
    assertThat(address.find()).isTrue();
    try (FaultyLine line = new FaultyLine(Integer.parseInt(address.group(1)))) {
      // Only what a person would write: the test's own address names every setting of the driver.
      String url =
          "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres"
              .formatted(line.port(), address.group(2));
      try (Database database = Database.open(impatient(url), folder);
          Connection amidst = database.dataSource().getConnection()) {
        assertThat(amidst.getNetworkTimeout()).isEqualTo(2_000);
        amidst.setAutoCommit(false);
        execute(amidst, LOCK);
        assertThat(isLocked()).isTrue();
        assertThat(amidst.getNetworkTimeout()).isEqualTo(2_000);

        line.swallow();

        await().atMost(Duration.ofSeconds(60)).until(() -> fails(amidst));
        await().atMost(Duration.ofSeconds(60)).until(() -> !isLocked());
      }
    }
  }

  private static DatabaseSettings impatient(String url) {
    return new DatabaseSettings(url, null, null, 2, Durability.REQUIRED, Duration.ofSeconds(2));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean fails(Connection connection) {
    try {
      execute(connection, "SELECT 1");
      return false;
    } catch (SQLException e) {
      return true;
    }
  }

  private boolean isLocked() throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try {
        execute(connection, LOCK);
        return false;
      } catch (SQLException e) {
        return true;
      } finally {
        connection.rollback();
      }
    }
  }
}
