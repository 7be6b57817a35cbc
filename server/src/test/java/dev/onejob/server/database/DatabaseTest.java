package dev.onejob.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
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
