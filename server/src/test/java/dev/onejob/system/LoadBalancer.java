package dev.onejob.system;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * nginx or HAProxy in a process of its own, on the very file that is shipped: only the lines that
 * the file calls yours are filled in.
 */
final class LoadBalancer implements AutoCloseable {
  private static final Path SHIPPED = Path.of("../deploy").toAbsolutePath().normalize();
  private static final String YOURS = "# yours";
  private static final Pattern NODE = Pattern.compile("\\d+(\\.\\d+){3}:\\d+");
  private static final Pattern LISTEN = Pattern.compile(":?8080");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final URI uri;

  private LoadBalancer(Process process, int port) {
    this.process = process;
    this.uri = URI.create("http://127.0.0.1:" + port);
  }

  static boolean areInstalled() {
    return isInstalled("nginx") && isInstalled("haproxy");
  }

  static boolean isNginxInstalled() {
    return isInstalled("nginx");
  }

  private static boolean isInstalled(String program) {
    return Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin")
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** The shipped file for nginx is for its http block; this gives it one, and nothing else. */
  static LoadBalancer nginx(Path folder, URI... nodes) throws IOException {
    return nginx(folder, line -> line, nodes);
  }

  /**
   * As somebody may have it: a line that is silent for ten seconds is cut, answers are buffered.
   */
  static LoadBalancer impatientNginx(Path folder, URI... nodes) throws IOException {
    return nginx(
        folder,
        line ->
            line.replace("proxy_read_timeout 75s", "proxy_read_timeout 10s")
                .replace("proxy_buffering off", "proxy_buffering on"),
        nodes);
  }

  private static LoadBalancer nginx(Path folder, UnaryOperator<String> changed, URI... nodes)
      throws IOException {
    int port = freePort();
    Path site =
        filledIn(SHIPPED.resolve("nginx/onejob.conf"), folder.resolve("onejob.conf"), port, nodes);
    Files.write(site, Files.readAllLines(site).stream().map(changed).toList());
    Path main =
        Files.writeString(
            folder.resolve("nginx.conf"),
            """
            %s
            daemon off;
            pid %s/nginx.pid;
            error_log stderr warn;
            worker_processes 1;
            events { worker_connections 4096; }
            http {
              access_log off;
              client_body_temp_path %s/bodies;
              proxy_temp_path %s/answers;
              include %s;
            }
            """
                .formatted(
                    System.getProperty("user.name").equals("root") ? "user root;" : "",
                    folder,
                    folder,
                    folder,
                    site));
    return started(folder, port, "nginx", "-p", folder.toString(), "-c", main.toString());
  }

  static LoadBalancer haproxy(Path folder, URI... nodes) throws IOException {
    int port = freePort();
    Path site =
        filledIn(
            SHIPPED.resolve("haproxy/haproxy.cfg"), folder.resolve("haproxy.cfg"), port, nodes);
    return started(folder, port, "haproxy", "-db", "-f", site.toString());
  }

  private static Path filledIn(Path shipped, Path file, int port, URI... nodes) throws IOException {
    Iterator<URI> each = Arrays.asList(nodes).iterator();
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(shipped)) {
      if (!line.contains(YOURS)) {
        lines.add(line);
      } else if (NODE.matcher(line).find()) {
        lines.add(NODE.matcher(line).replaceFirst(each.next().getAuthority()));
      } else {
        String address = line.contains("bind") ? "127.0.0.1:" + port : String.valueOf(port);
        lines.add(LISTEN.matcher(line).replaceFirst(address));
      }
    }
    if (each.hasNext()) {
      throw new IllegalStateException(shipped + " has no line for " + each.next());
    }
    return Files.write(file, lines);
  }

  private static LoadBalancer started(Path folder, int port, String... command) throws IOException {
    Path output = folder.resolve(command[0] + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().merge("PATH", "/usr/sbin:/usr/local/sbin", (a, b) -> a + ":" + b);
    Process process = builder.start();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new AssertionError(Files.readString(output));
              }
              return answers(port);
            });
    return new LoadBalancer(process, port);
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  URI uri() {
    return uri;
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    process.onExit().join();
  }
}
