package dev.onejob.system;

import static org.awaitility.Awaitility.await;

import dev.onejob.server.testing.ApiClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A node in a process of its own, as {@code onejob serve} starts it. */
final class NodeProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern READY = Pattern.compile("onejob is ready at (\\S+)");
  private static final Pattern KEY = Pattern.compile("\"(operator|client)\"\\s*:\\s*\"([^\"]+)\"");

  private final Process process;
  private final Path folder;
  private final URI uri;

  private NodeProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
    this.uri = await().atMost(PATIENCE).until(this::readyAt, Optional::isPresent).orElseThrow();
  }

  /** Starts a node with the built-in configuration. */
  static NodeProcess start(String database, Path folder, String name) {
    return start(database, folder, name, List.of());
  }

  /** Starts a node with further arguments. */
  static NodeProcess start(String database, Path folder, String name, List<String> arguments) {
    return start(database, folder, name, arguments, Map.of());
  }

  /** Starts a node with further arguments, and variables in its environment. */
  static NodeProcess start(
      String database,
      Path folder,
      String name,
      List<String> arguments,
      Map<String, String> environment) {
    try {
      Path data = Files.createDirectories(folder.resolve(name));
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  // Most of these nodes live for seconds: thorough compilation does not pay.
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty(
                      "surefire.test.class.path", System.getProperty("java.class.path")),
                  "dev.onejob.server.Main",
                  "serve",
                  "--database",
                  database,
                  "--port",
                  "0",
                  "--node",
                  name,
                  "--data",
                  data.toString()));
      command.addAll(arguments);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(data.resolve("output").toFile());
      builder.environment().putAll(environment);
      return new NodeProcess(builder.start(), data);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<URI> readyAt() {
    String output = output();
    if (!process.isAlive()) {
      throw new AssertionError("the node ended: " + output);
    }
    Matcher ready = READY.matcher(output);
    return ready.find() ? Optional.of(URI.create(ready.group(1))) : Optional.empty();
  }

  /** What it has printed so far. */
  String output() {
    try {
      return Files.readString(folder.resolve("output"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI uri() {
    return uri;
  }

  /** The secret of the first operator or client key, which this node made. */
  String firstKey(String role) {
    try {
      Matcher keys = KEY.matcher(Files.readString(folder.resolve("first-keys.json")));
      while (keys.find()) {
        if (keys.group(1).equals(role)) {
          return keys.group(2);
        }
      }
      throw new AssertionError("no first key for " + role);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ApiClient client(String secret) {
    return new ApiClient(uri, secret);
  }

  /** SIGKILL: it is dead when this returns. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** SIGSTOP: it stands still in the middle of whatever it does. */
  void freeze() {
    signal("STOP");
  }

  /** SIGCONT: it goes on as if nothing had been. */
  void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int code = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -" + name + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGTERM, as an operator stops it; returns at once. */
  void terminate() {
    process.destroy();
  }

  /** Waits until it has ended by itself. */
  void awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE)) {
      throw new AssertionError("the node did not end: " + output());
    }
  }

  /** The processes that it has started. */
  Stream<ProcessHandle> descendants() {
    return process.descendants();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
