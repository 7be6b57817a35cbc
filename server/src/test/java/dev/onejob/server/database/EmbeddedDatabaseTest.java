package dev.onejob.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.server.config.DatabaseSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {
  private static final DatabaseSettings EMBEDDED = DatabaseSettings.of(null);

  @TempDir Path folder;

  @Test
  void keeps_its_data_across_a_restart_and_forgets_nothing_acknowledged() throws Exception {
    Path data = folder.resolve("a folder with spaces");
    try (Database database = Database.open(EMBEDDED, data)) {
      execute(database, "CREATE TABLE kept AS SELECT 42 AS answer");
      assertThat(text(database, "SHOW fsync")).isEqualTo("on");
      assertThat(text(database, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(text(database, "SHOW full_page_writes")).isEqualTo("on");
      assertThat(text(database, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(text(database, "SHOW server_encoding")).isEqualTo("UTF8");
    }
    try (Database database = Database.open(EMBEDDED, data)) {
      assertThat(text(database, "SELECT answer FROM kept")).isEqualTo("42");
      assertThat(text(database, "SHOW fsync")).isEqualTo("on");
    }
  }

  @Test
  void starts_again_after_its_service_was_killed() throws Exception {
    Process killed = EmbeddedNode.start(folder);
    killed.destroyForcibly().waitFor();
    assertThat(folder.resolve("postgres/data/postmaster.pid")).exists();

    try (Database database = Database.open(EMBEDDED, folder)) {
      assertThat(text(database, "SELECT answer FROM kept")).isEqualTo("42");
    }
  }

  @Test
  void starts_beside_a_stale_pid_file_that_names_an_innocent_process() throws Exception {
    Database.open(EMBEDDED, folder).close();
    Path pidFile = folder.resolve("postgres/data/postmaster.pid");
    Files.writeString(pidFile, ProcessHandle.current().pid() + "\n/nowhere\n");

    try (Database database = Database.open(EMBEDDED, folder)) {
      assertThat(text(database, "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void makes_a_cluster_anew_whose_making_was_cut_short() throws Exception {
    Path cluster = Files.createDirectories(folder.resolve("postgres/data"));
    Files.writeString(cluster.resolve("postgresql.conf"), "# half of it");

    try (Database database = Database.open(EMBEDDED, folder)) {
      assertThat(text(database, "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void refuses_a_folder_that_another_service_uses_and_names_it() {
    try (Database database = Database.open(EMBEDDED, folder)) {
      assertThatThrownBy(() -> Database.open(EMBEDDED, folder))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("in use by another onejob service")
          .hasMessageContaining("process " + ProcessHandle.current().pid());
      assertThat(database.dataSource()).isNotNull();
    }
  }

  @Test
  void asks_for_its_password_which_only_its_user_can_read() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
      String url = database.address().jdbcUrl();
      assertThatThrownBy(() -> DriverManager.getConnection(url, "postgres", "guess").close())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("password authentication failed");
      Path password = folder.resolve("postgres/password");
      assertThat(Files.getPosixFilePermissions(password))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void refuses_data_of_another_version_of_postgresql() throws Exception {
    Database.open(EMBEDDED, folder).close();
    Files.writeString(folder.resolve("postgres/data/PG_VERSION"), "17\n");

    assertThatThrownBy(() -> Database.open(EMBEDDED, folder))
        .isInstanceOf(DatabaseException.class)
        .hasMessageContaining("is of PostgreSQL 17, the embedded one is 18");
  }

  private static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(Database database, String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
