package dev.onejob.testkit;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A PostgreSQL of one's own that can be stopped, killed, restarted and copied: a program installed
 * on this machine, on a throw-away cluster. As root it runs as the user {@code postgres}, since the
 * server refuses root.
 */
public final class PostgresProcess implements AutoCloseable {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql/15");
  private static final int PATIENCE_SECONDS = 60;

  private final Path home;
  private final Path folder;
  private final int port;
  private final Map<String, String> settings;
  private boolean running;

  private PostgresProcess(Path home, Path folder, int port, Map<String, String> settings) {
    this.home = home;
    this.folder = folder;
    this.port = port;
    this.settings = settings;
  }

  /** Whether Debian's PostgreSQL 15 is on this machine. */
  public static boolean isInstalled() {
    return Files.isExecutable(DEBIAN.resolve("bin/postgres"));
  }

  /**
   * Makes a cluster with Debian's PostgreSQL 15 and starts it.
   *
   * @param settings of the server, which stay over restarts
   */
  public static PostgresProcess start(Map<String, String> settings) throws IOException {
    return start(DEBIAN, settings);
  }

  /**
   * Makes a cluster and starts it.
   *
   * @param home the folder that has {@code bin/initdb}
   * @param settings of the server, which stay over restarts
   */
  public static PostgresProcess start(Path home, Map<String, String> settings) throws IOException {
    PostgresProcess postgres = new PostgresProcess(home, newFolder(), freePort(), settings);
    postgres.asUser("initdb", "-D", postgres.data(), "-U", "postgres", "-A", "trust", "-N");
    postgres.start();
    return postgres;
  }

  private static Path newFolder() throws IOException {
    Path folder = Files.createTempDirectory("onejob-postgres");
    if (isRoot()) {
      run(List.of("chown", "postgres", folder.toString()));
    }
    return folder;
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  /** Its port on 127.0.0.1, the same over all restarts. */
  public int port() {
    return port;
  }

  /** The JDBC address of one of its databases, for its superuser. */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
  }

  /** Starts it again, on the same port. */
  public void start() throws IOException {
    String options =
        settings.entrySet().stream()
            .map(each -> " -c " + each.getKey() + "=" + each.getValue())
            .collect(Collectors.joining());
    String place =
        "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + folder;
    asUser(
        "pg_ctl",
        "-D",
        data(),
        "-w",
        "-l",
        folder.resolve("log").toString(),
        "-o",
        place + options,
        "start");
    running = true;
  }

  /** Stops it in order; sessions are cut off. */
  public void stop() throws IOException {
    stop("fast");
  }

  /** Stops it as a crash does: what was not durable is gone. */
  public void crash() throws IOException {
    stop("immediate");
  }

  private void stop(String mode) throws IOException {
    running = false;
    asUser("pg_ctl", "-D", data(), "-m", mode, "-w", "stop");
  }

  /** Makes a replica that streams from this server, and starts it. */
  public PostgresProcess replica() throws IOException {
    PostgresProcess replica = new PostgresProcess(home, newFolder(), freePort(), settings);
    String from = "host=127.0.0.1 port=" + port + " user=postgres";
    asUser("pg_basebackup", "-D", replica.data(), "-d", from, "-R", "-X", "stream", "-c", "fast");
    replica.start();
    return replica;
  }

  /** Makes a replica the one that takes writes. */
  public void promote() throws IOException {
    asUser("pg_ctl", "-D", data(), "-w", "promote");
  }

  private void asUser(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(home.resolve("bin").resolve(program).toString());
    command.addAll(Arrays.asList(arguments));
    run(command);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void run(List<String> command) throws IOException {
    Path output = Files.createTempFile("onejob-postgres", ".out");
    Process process =
        new ProcessBuilder(command)
            .directory(new File("/")) // ours may be closed to the other user
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(command + ": " + Files.readString(output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      Files.delete(output);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Stops it if it runs, and removes its cluster. */
  @Override
  public void close() throws IOException {
    if (running) {
      crash();
    }
    run(List.of("rm", "-rf", folder.toString()));
  }
}
