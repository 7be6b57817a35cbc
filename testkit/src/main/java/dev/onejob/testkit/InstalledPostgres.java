package dev.onejob.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL that is installed on this machine, started for this test process on a throw-away
 * cluster. As root it runs as the user {@code postgres}, since the server refuses root.
 */
final class InstalledPostgres {
  private static final int PATIENCE_SECONDS = 60;

  private final Path home;
  private final Path data;
  private final int port;

  private InstalledPostgres(Path home, Path data, int port) {
    this.home = home;
    this.data = data;
    this.port = port;
  }

  /**
   * Starts it.
   *
   * @param home the folder that has {@code bin/initdb}
   * @return the JDBC address of its superuser
   */
  static String start(Path home) throws IOException {
    Path folder = Files.createTempDirectory("onejob-postgres");
    InstalledPostgres postgres = new InstalledPostgres(home, folder.resolve("data"), freePort());
    if (isRoot()) {
      run(List.of("chown", "postgres", folder.toString()));
    }
    postgres.asUser("initdb", "-D", postgres.data.toString(), "-U", "postgres", "-A", "trust");
    postgres.asUser(
        "pg_ctl",
        "-D",
        postgres.data.toString(),
        "-w",
        "-l",
        folder.resolve("log").toString(),
        "-o",
        postgres.options(folder),
        "start");
    Runtime.getRuntime().addShutdownHook(new Thread(postgres::stop));
    return "jdbc:postgresql://127.0.0.1:" + postgres.port + "/postgres?user=postgres";
  }

  private String options(Path folder) {
    return String.join(
        " -c ",
        "-p " + port,
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=" + folder,
        "max_connections=300");
  }

  private void stop() {
    try {
      asUser("pg_ctl", "-D", data.toString(), "-m", "immediate", "stop");
    } catch (IOException e) {
      throw new IllegalStateException("the test database was not stopped", e);
    }
  }

  private void asUser(String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(home.resolve("bin").resolve(program).toString());
    command.addAll(List.of(arguments));
    run(command);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void run(List<String> command) throws IOException {
    Path output = Files.createTempFile("onejob-postgres", ".out");
    Process process =
        new ProcessBuilder(command)
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
}
