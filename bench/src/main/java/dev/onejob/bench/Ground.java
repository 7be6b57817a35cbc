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
public final class Ground implements AutoCloseable {
  private static final String CONNECTIONS_MAX = "300";

  private final EmbeddedPostgres postgres;
  private final ProcessHandle postmaster;

  private Ground(EmbeddedPostgres postgres, ProcessHandle postmaster) {
    this.postgres = postgres;
    this.postmaster = postmaster;
  }

  /** Starts one whose data lie in that folder. */
  public static Ground prepare(Path folder) throws IOException {
    Path data = folder.resolve("data");
    EmbeddedPostgres postgres =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", CONNECTIONS_MAX)
            .setServerConfig("shared_preload_libraries", "pg_stat_statements")
            .start();
    String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip();
    Ground ground = new Ground(postgres, ProcessHandle.of(Long.parseLong(pid)).orElseThrow());
    try {
      ground.execute("CREATE EXTENSION pg_stat_statements");
      ground.countStatements(false);
    } catch (SQLException e) {
      postgres.close();
      throw new IOException(e);
    }
    return ground;
  }

  /**
   * Whether {@code pg_stat_statements} counts, those within functions too. It does not unless it is
   * told to, so that it costs nothing where it is not read; the view is in {@link #own()}.
   */
  public void countStatements(boolean counted) throws SQLException {
    execute("ALTER SYSTEM SET pg_stat_statements.track = " + (counted ? "'all'" : "'none'"));
    execute("SELECT pg_reload_conf()");
  }

  /** The address of the database that no contestant has. */
  public String own() {
    return url("postgres");
  }

  /** The process that all others of the server come from. */
  public ProcessHandle postmaster() {
    return postmaster;
  }

  /** Where it listens, on this machine. */
  public int port() {
    return postgres.getPort();
  }

  /** A new database with nothing in it. */
  public void createEmpty(String name) throws SQLException {
    execute("CREATE DATABASE " + name);
    checkpoint();
  }

  /** Writes down what is still in memory alone. */
  public void checkpoint() throws SQLException {
    execute("CHECKPOINT");
  }

  /** Drops a database, whoever is connected to it. */
  public void drop(String name) throws SQLException {
    execute("DROP DATABASE " + name + " WITH (FORCE)");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The address of a database, for JDBC. */
  public String url(String name) {
    return postgres.getJdbcUrl("postgres", name);
  }

  /** A new database with the tables of the library and of the server. */
  public String create(String name) throws SQLException {
    execute("CREATE DATABASE " + name);
    String url = url(name);
    try (HikariDataSource pool = pool(url, 2)) {
      Migrations.migrate(pool);
      ServerMigrations.migrate(pool);
    }
    return url;
  }

  /** Of the server. */
  public String version() throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW server_version")) {
      row.next();
      return row.getString(1);
    }
  }

  /** A pool of at most that many connections. */
  public static HikariDataSource pool(String url, int size) {
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
