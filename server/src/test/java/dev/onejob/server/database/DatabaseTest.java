package dev.onejob.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {
  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();
  @TempDir Path folder;

  @Test
  void opens_an_external_database_and_leaves_the_data_folder_alone() throws SQLException {
    try (Database database = Database.open(at(postgres.url()), folder);
        Connection connection = database.dataSource().getConnection()) {
      assertThat(connection.isValid(1)).isTrue();
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void pages_have_their_questions_planned_for_what_is_asked() throws SQLException {
    try (Database database = Database.open(at(postgres.url()), folder);
        HikariDataSource pages = database.forPages(1, Duration.ofMillis(1_500));
        Connection connection = pages.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT current_setting('plan_cache_mode'),
                       current_setting('statement_timeout')
                """)) {
      row.next();
      assertThat(row.getString(1)).isEqualTo("force_custom_plan");
      assertThat(row.getString(2)).isEqualTo("1500ms");
    }
  }

  @Test
  void says_where_nobody_answers_without_the_password() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String url = "postgres://app:hush@127.0.0.1:" + port + "/jobs";

    assertThatThrownBy(() -> Database.open(at(url), folder).close())
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("cannot reach the database at jdbc:postgresql://127.0.0.1:" + port)
        .hasMessageNotContaining("hush");
  }

  @Test
  void understands_postgres_addresses_with_all_their_parts() {
    DatabaseAddress address =
        address("postgres://an%40app:p%2Bw%25@db.example:6432/jobs?sslmode=require");

    assertThat(address.jdbcUrl())
        .isEqualTo("jdbc:postgresql://db.example:6432/jobs?sslmode=require");
    assertThat(address.user()).isEqualTo("an@app");
    assertThat(address.password()).isEqualTo("p+w%");
    assertThat(address("postgresql://[::1]/jobs").jdbcUrl())
        .isEqualTo("jdbc:postgresql://[::1]/jobs");
  }

  @Test
  void never_shows_a_password() {
    String jdbc = "jdbc:postgresql://db/jobs?user=app&password=hush&ssl=true";

    assertThat(address(jdbc).toString()).isEqualTo("jdbc:postgresql://db/jobs");
    assertThat(address(jdbc).jdbcUrl()).isEqualTo(jdbc);
  }

  @Test
  void a_user_and_password_of_their_own_win_over_those_in_the_address() {
    DatabaseSettings settings = DatabaseSettings.of(null).as("other", "own");
    DatabaseAddress address = DatabaseAddress.of(settings, "postgres://app:hush@db/jobs");

    assertThat(address.user()).isEqualTo("other");
    assertThat(address.password()).isEqualTo("own");
  }

  @Test
  void refuses_an_address_that_is_none_without_repeating_it() {
    assertThatThrownBy(() -> address("postgres://app:hu sh@db/jobs"))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("the database address is not one")
        .hasMessageNotContaining("hu sh");
    assertThatThrownBy(() -> address("mysql://db/jobs"))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("expected something like postgres://");
  }

  private static DatabaseSettings at(String url) {
    return DatabaseSettings.of(url);
  }

  private static DatabaseAddress address(String url) {
    return DatabaseAddress.of(at(url), url);
  }
}
