package dev.onejob.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onejob.server.access.ServerMigrations;
import dev.onejob.store.Migrations;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL of its own that keeps its promises: nothing about durability is switched off. */
final class Ground implements AutoCloseable {
  private static final String CONNECTIONS_MAX = "300";

  private final EmbeddedPostgres postgres;
  private final ProcessHandle postmaster;

  private Ground(EmbeddedPostgres postgres, ProcessHandle postmaster) {
    this.postgres = postgres;
    this.postmaster = postmaster;
  }

  static Ground prepare(Path folder) throws IOException {
    Path data = folder.resolve("data");
    EmbeddedPostgres postgres =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", CONNECTIONS_MAX)
            .start();
    String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip();
    return new Ground(postgres, ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
  }

  ProcessHandle postmaster() {
    return postmaster;
  }

  /** A new database with the tables of the library and of the server. */
  String create(String name) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    String url = postgres.getJdbcUrl("postgres", name);
    try (HikariDataSource pool = pool(url, 2)) {
      Migrations.migrate(pool);
      ServerMigrations.migrate(pool);
    }
    return url;
  }

  String version() throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW server_version")) {
      row.next();
      return row.getString(1);
    }
  }

  static HikariDataSource pool(String url, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(size);
    return new HikariDataSource(config);
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }
}
