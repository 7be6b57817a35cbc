package dev.onejob.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.config.DatabaseSettings.Durability;
import dev.onejob.testkit.PostgresExtension;
import dev.onejob.testkit.PostgresProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a node says to a server that may forget what it has acknowledged. */
class DurabilityTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();
  @TempDir Path folder;

  static boolean isPostgresInstalled() {
    return PostgresProcess.isInstalled();
  }

  @Test
  @EnabledIf("isPostgresInstalled")
  void a_server_without_fsync_and_full_pages_is_refused_with_a_reason_for_each()
      throws IOException {
    try (PostgresProcess forgetful =
        PostgresProcess.start(Map.of("fsync", "off", "full_page_writes", "off"))) {
      String url = forgetful.url("postgres");

      assertThatThrownBy(() -> open(url, Durability.REQUIRED))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("is refused, for it may forget what it has acknowledged")
          .hasMessageContaining("fsync is off: a crash of the machine may damage or lose anything")
          .hasMessageContaining("full_page_writes is off")
          .hasMessageContaining("database.durability: waived");

      assertThat(warnings(() -> open(url, Durability.WAIVED)))
          .satisfiesExactly(
              first -> assertThat(first).contains("fsync is off"),
              second -> assertThat(second).contains("full_page_writes is off"));
    }
  }

  @Test
  void a_server_that_answers_before_the_commit_is_durable_is_refused() throws SQLException {
    set("synchronous_commit = off");

    assertThatThrownBy(() -> open(postgres.url(), Durability.REQUIRED))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("synchronous_commit is off: jobs that were acknowledged may be lost");

    assertThat(warnings(() -> open(postgres.url(), Durability.WAIVED)))
        .singleElement()
        .asString()
        .contains("synchronous_commit is off");
  }

  @Test
  void a_server_that_keeps_its_word_is_taken_without_a_warning() {
    assertThat(warnings(() -> open(postgres.url(), Durability.REQUIRED))).isEmpty();
  }

  @Test
  void local_commits_are_doubtful_only_where_a_standby_is_waited_for() {
    assertThat(facts("local", "").doubtful()).isEmpty();
    assertThat(facts("local", "*").doubtful())
        .singleElement()
        .asString()
        .contains("a failover to a standby may lose jobs");
    assertThat(facts("on", "*").doubtful()).isEmpty();
  }

  private static ServerFacts facts(String synchronousCommit, String standbys) {
    return new ServerFacts(150_000, "15", "on", "on", synchronousCommit, standbys, false);
  }

  private void set(String setting) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER DATABASE " + connection.getCatalog() + " SET " + setting);
    }
  }

  private void open(String url, Durability durability) {
    DatabaseSettings settings = DatabaseSettings.of(url);
    Database.open(
            new DatabaseSettings(url, null, null, 4, durability, settings.socketTimeout()), folder)
        .close();
  }

  private static List<String> warnings(Runnable act) {
    ListAppender<ILoggingEvent> heard = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(Database.class);
    heard.start();
    logger.addAppender(heard);
    try {
      act.run();
    } finally {
      logger.detachAppender(heard);
    }
    return heard.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
