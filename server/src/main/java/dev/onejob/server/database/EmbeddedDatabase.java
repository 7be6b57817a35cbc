package dev.onejob.server.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL of our own for a first try: its data stays in the data folder, it listens on the
 * loopback interface only, and it asks for a password that is kept beside it.
 *
 * <p>The library that brings it is made for tests and switches durability off; here it is on.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
  private static final String SUPERUSER = "postgres";
  private static final String DATABASE = "onejob";
  private static final int VERSION = 18;
  private static final int PASSWORD_BYTES = 32;
  private static final int LOG_LINES_SHOWN = 8;

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** A start after a crash replays the log first. */
  private static final Duration START_MAX = Duration.ofSeconds(30);

  private final FolderLock lock;
  private final EmbeddedPostgres postgres;
  private final String password;

  private EmbeddedDatabase(FolderLock lock, EmbeddedPostgres postgres, String password) {
    this.lock = lock;
    this.postgres = postgres;
    this.password = password;
  }

  /**
   * Starts it on a data folder, which is made if it is not there.
   *
   * @throws DatabaseException if another service uses the folder, or PostgreSQL does not start
   */
  public static EmbeddedDatabase start(Path dataFolder) {
    Path folder = made(dataFolder);
    FolderLock lock = FolderLock.take(folder);
    try {
      Layout layout = new Layout(folder.resolve("postgres"));
      Files.createDirectories(layout.folder(), OWNER_ONLY);
      Orphans.clear(layout.binaries(), layout.cluster());
      String password = prepare(layout);
      EmbeddedPostgres postgres = start(layout, password);
      createDatabase(postgres.getDatabase(SUPERUSER, SUPERUSER));
      Files.writeString(layout.complete(), "");
      return new EmbeddedDatabase(lock, postgres, password);
    } catch (IOException e) {
      lock.close();
      throw new DatabaseException("the embedded PostgreSQL cannot be prepared: " + e, e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Where it listens, with the password. */
  DatabaseAddress address() {
    return new DatabaseAddress(
        "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/" + DATABASE, SUPERUSER, password);
  }

  /** Stops it in order; what was committed is on disk. */
  @Override
  public void close() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new DatabaseException("the embedded PostgreSQL did not stop in order: " + e, e);
    } finally {
      lock.close();
    }
  }

  /** Where things lie. The binaries are unpacked here too: a shared folder could be planted. */
  private record Layout(Path folder) {
    Path binaries() {
      return folder.resolve("binaries");
    }

    Path cluster() {
      return folder.resolve("data");
    }

    Path password() {
      return folder.resolve("password");
    }

    Path complete() {
      return folder.resolve("complete");
    }

    Path output() {
      return folder.resolve("start.log");
    }
  }

  private static Path made(Path dataFolder) {
    try {
      if (!Files.isDirectory(dataFolder)) {
        Path above = dataFolder.toAbsolutePath().getParent();
        Files.createDirectories(above == null ? dataFolder : above);
        Files.createDirectory(dataFolder, OWNER_ONLY);
      }
      return dataFolder.toRealPath();
    } catch (IOException e) {
      throw new DatabaseException("the data folder " + dataFolder + " cannot be made: " + e, e);
    }
  }

  /** A cluster whose making was cut short is not in use by anybody yet, and is made anew. */
  private static String prepare(Layout layout) throws IOException {
    if (!Files.exists(layout.complete())) {
      Trees.delete(layout.cluster());
      byte[] random = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(random);
      SecretFile.write(layout.password(), HexFormat.of().formatHex(random));
    } else {
      refuseOtherVersion(layout);
    }
    Files.deleteIfExists(layout.output());
    return Files.readString(layout.password()).strip();
  }

  private static void refuseOtherVersion(Layout layout) throws IOException {
    String version = Files.readString(layout.cluster().resolve("PG_VERSION")).strip();
    if (!version.equals(Integer.toString(VERSION))) {
      throw new DatabaseException(
          "the data in "
              + layout.cluster()
              + " is of PostgreSQL "
              + version
              + ", the embedded one is "
              + VERSION
              + "; move it over with pg_dump, or choose another folder with --data");
    }
  }

  private static EmbeddedPostgres start(Layout layout, String password) throws IOException {
    Redirect output = Redirect.appendTo(layout.output().toFile());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(layout.binaries().toFile())
            .setDataDirectory(layout.cluster())
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setPGStartupWait(START_MAX)
            .setOutputRedirector(output)
            .setErrorRedirector(output)
            .setConnectConfig("password", password)
            // These become options of initdb, whatever their name here says.
            .setLocaleConfig("pwfile", layout.password().toString())
            .setLocaleConfig("auth-host", "scram-sha-256")
            .setLocaleConfig("auth-local", "scram-sha-256")
            .setLocaleConfig("locale", "C");
    ServerOptions.ALL.forEach(builder::setServerConfig);
    try {
      return builder.start();
    } catch (IOException | RuntimeException e) {
      Orphans.clear(layout.binaries(), layout.cluster());
      throw new DatabaseException("the embedded PostgreSQL did not start: " + why(layout, e), e);
    }
  }

  /** PostgreSQL's own words are better than the library's. */
  private static String why(Layout layout, Exception e) throws IOException {
    if (!Files.exists(layout.output())) {
      return e.toString();
    }
    List<String> said = Files.readAllLines(layout.output());
    String end =
        String.join("\n  ", said.subList(Math.max(0, said.size() - LOG_LINES_SHOWN), said.size()));
    return end.contains("cannot be run as root")
        ? "PostgreSQL refuses to run as root, and this system lets no user namespace be made;"
            + " start onejob as another user, or name a database with --database"
        : e.getMessage() + "\n  " + end;
  }

  private static final String FIND_DATABASE =
      """
      SELECT 1 FROM pg_catalog.pg_database WHERE datname = 'onejob'
      """;

  private static final String CREATE_DATABASE =
      """
      CREATE DATABASE onejob
      """;

  private static void createDatabase(DataSource server) {
    try (Connection connection = server.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(FIND_DATABASE)) {
      if (!found.next()) {
        statement.execute(CREATE_DATABASE);
        LOG.info("made a new embedded PostgreSQL {}", VERSION);
      }
    } catch (SQLException e) {
      throw new DatabaseException("the embedded PostgreSQL cannot be used: " + e, e);
    }
  }
}
