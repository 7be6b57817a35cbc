package dev.onejob.testkit;

import dev.onejob.store.Migrations;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One PostgreSQL for the whole test process: the embedded one, or the one installed in the folder
 * that the system property {@code onejob.test.postgres} names.
 *
 * <p>A template database is migrated once; every test gets a copy of its own.
 */
final class PostgresServer {
  private static final String TEMPLATE = "onejob_template_" + ProcessHandle.current().pid();
  private static final AtomicInteger COPIES = new AtomicInteger();
  private static final PostgresServer INSTANCE = new PostgresServer();

  private static final int DROPPED_TOGETHER = 25;

  private final BlockingQueue<String> dropped = new LinkedBlockingQueue<>();
  private final PGSimpleDataSource admin;

  private PostgresServer() {
    admin = new PGSimpleDataSource();
    String installed = System.getProperty("onejob.test.postgres", "");
    admin.setUrl(installed.isEmpty() ? startEmbedded() : startInstalled(Path.of(installed)));
    execute("CREATE DATABASE " + TEMPLATE);
    Migrations.migrate(source(TEMPLATE));
  }

  static PostgresServer get() {
    return INSTANCE;
  }

  private static String startInstalled(Path home) {
    try {
      PostgresProcess postgres = PostgresProcess.start(home, Map.of("max_connections", "300"));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(postgres)));
      return postgres.url("postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(PostgresProcess postgres) {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the test database was not stopped", e);
    }
  }

  private static String startEmbedded() {
    try {
      EmbeddedPostgres postgres =
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("max_connections", "300")
              .start();
      return postgres.getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String create() {
    String name = TEMPLATE + "_" + COPIES.incrementAndGet();
    execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
    return name;
  }

  /**
   * Every drop has the server write down all it holds, once for each. Several in a row have nothing
   * left to write after the first; what was not dropped in the end goes with the server.
   */
  void drop(String database) {
    dropped.add(database);
    if (dropped.size() < DROPPED_TOGETHER) {
      return;
    }
    List<String> names = new ArrayList<>();
    dropped.drainTo(names);
    names.forEach(name -> execute("DROP DATABASE " + name + " WITH (FORCE)"));
  }

  /** The JDBC address of a database, with user and password. */
  String url(String database) {
    String url = source(database).getUrl();
    String user = "user=" + admin.getUser();
    String password = admin.getPassword() == null ? "" : "&password=" + admin.getPassword();
    return url + (url.contains("?") ? "&" : "?") + user + password;
  }

  PGSimpleDataSource source(String database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(admin.getUrl());
    source.setUser(admin.getUser());
    source.setPassword(admin.getPassword());
    source.setDatabaseName(database);
    return source;
  }

  private void execute(String sql) {
    try (Connection connection = admin.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
