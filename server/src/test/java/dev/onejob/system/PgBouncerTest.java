package dev.onejob.system;

import static dev.onejob.system.TwoNodes.awaitJob;
import static dev.onejob.system.TwoNodes.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onejob.testkit.PostgresExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes over a PgBouncer in transaction mode, by the shipped example. */
@Tag("process")
@EnabledIf(value = "isInstalled", disabledReason = "pgbouncer is not installed")
class PgBouncerTest {
  private static final Path SHIPPED = Path.of("../deploy/pgbouncer/pgbouncer.ini");
  private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
  private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)/([^?]+)");
  private static final String SAID = "a connection pooler such as PgBouncer stands before";

  @RegisterExtension final PostgresExtension postgres = new PostgresExtension();

  @TempDir Path folder;

  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  @Test
  void jobs_run_by_polling_and_the_log_says_so_once() throws Exception {
    int port = freePort();
    Process bouncer = start(port);
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/onejob?user=postgres";
    try (TwoNodes nodes = new TwoNodes(url, folder)) {
      List<Callable<String>> submits = new ArrayList<>();
      for (int i = 0; i < 120; i++) {
        String key = "key-" + i;
        submits.add(
            () ->
                created(
                    (key.endsWith("0") ? nodes.client1 : nodes.client2).submit(key, "demo", "{}")));
      }
      for (String job : TwoNodes.atOnce(submits)) {
        awaitJob(nodes.client1, job, "/state", "succeeded");
        assertThat(TwoNodes.effects(nodes.client1, job)).isEqualTo(1);
      }
      for (NodeProcess node : List.of(nodes.first, nodes.second)) {
        assertThat(node.output().split(SAID, -1)).as(node.output()).hasSize(2);
        assertThat(node.output()).doesNotContain("prepared statement");
      }
    } finally {
      bouncer.destroy();
      bouncer.onExit().join();
    }
  }

  /** Smaller than what two nodes ask for, so that server connections do go from hand to hand. */
  private Process start(int port) throws IOException {
    Matcher server = ADDRESS.matcher(postgres.url());
    assertThat(server.find()).isTrue();
    Map<String, String> ours = new TreeMap<>();
    ours.put(
        "onejob",
        "host=127.0.0.1 port=%s dbname=%s user=postgres"
            .formatted(server.group(2), server.group(3)));
    ours.put("listen_port", String.valueOf(port));
    ours.put("auth_type", "any");
    ours.put("auth_file", "");
    ours.put("default_pool_size", "4");
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(SHIPPED)) {
      String name = line.split(" = ", 2)[0];
      lines.add(ours.containsKey(name) ? name + " = " + ours.get(name) : line);
    }
    lines.add("unix_socket_dir =");
    Path ini = Files.createTempFile("onejob-pgbouncer", ".ini");
    Files.write(ini, lines);
    assertThat(ini.toFile().setReadable(true, false)).isTrue();
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("runuser", "-u", "postgres", "--")); // it refuses to be root
    }
    command.addAll(List.of(PROGRAM.toString(), ini.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("pgbouncer.out").toFile())
            .start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              assertThat(process.isAlive())
                  .as(() -> output(folder.resolve("pgbouncer.out")))
                  .isTrue();
              return answers(port);
            });
    return process;
  }

  private static String output(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
