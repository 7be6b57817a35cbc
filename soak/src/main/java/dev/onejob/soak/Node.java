package dev.onejob.soak;

import dev.onejob.testkit.FaultyLine;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A node at one address that can be killed, frozen and cut off from its database. */
final class Node implements AutoCloseable {
  private static final Duration START_PATIENCE = Duration.ofSeconds(90);

  private final String name;
  private final Ground ground;
  private final FaultyLine line;
  private final int port;
  private final AtomicLong disturbedAt = new AtomicLong();
  private int lives;
  private @Nullable Process process;
  private volatile Condition condition = Condition.DOWN;

  /** How it is. */
  enum Condition {
    UP,
    FROZEN,
    DOWN
  }

  Node(String name, Ground ground) throws IOException {
    this.name = name;
    this.ground = ground;
    this.line = new FaultyLine(ground.databasePort());
    this.port = Ground.freePort();
  }

  String name() {
    return name;
  }

  /** The name under which its present process starts attempts. */
  synchronized String life() {
    return name + "-" + lives;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  FaultyLine line() {
    return line;
  }

  Condition condition() {
    return condition;
  }

  Path folder() {
    return ground.folder().resolve(name);
  }

  /**
   * Whether a life of this node can surprise nobody any more: it is dead, or has run undisturbed
   * for a while, and so has sent whatever it had started.
   */
  synchronized boolean isSettled(String life, Duration quiet) {
    boolean frozen = life.equals(life()) && condition == Condition.FROZEN;
    return !frozen && System.nanoTime() - disturbedAt.get() > quiet.toNanos();
  }

  synchronized void start() throws IOException {
    lives++;
    Files.createDirectories(folder());
    List<String> command =
        new ArrayList<>(
            List.of(
                Ground.java(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                ground.classPath(),
                "dev.onejob.server.Main",
                "serve",
                "--config",
                ground.config().toString(),
                "--database",
                ground.databaseUrl(line.port()),
                "--port",
                String.valueOf(port),
                "--node",
                life(),
                "--data",
                folder().toString()));
    File log = folder().resolve("output").toFile();
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    disturbed(Condition.UP);
  }

  private void disturbed(Condition next) {
    condition = next;
    disturbedAt.set(System.nanoTime());
  }

  /** Whether its process has not ended by itself. */
  synchronized boolean lives() {
    return process != null && process.isAlive();
  }

  /**
   * Waits until it answers. One that has ended by itself is started again, as by a supervisor: a
   * node ends when its database cannot be reached while it starts.
   */
  void awaitReady(Api api) throws InterruptedException, IOException {
    long from = System.nanoTime();
    while (api.get(uri(), "/readyz").map(reply -> reply.status() != 200).orElse(true)) {
      if (System.nanoTime() - from > START_PATIENCE.toNanos()) {
        throw new IllegalStateException(name + " is not ready; see " + folder());
      }
      if (!lives()) {
        start();
      }
      Thread.sleep(100);
    }
  }

  /** SIGKILL. */
  synchronized void kill() {
    if (process != null) {
      process.destroyForcibly();
      process.onExit().join();
    }
    disturbed(Condition.DOWN);
  }

  void freeze() throws IOException, InterruptedException {
    signal("STOP");
    disturbed(Condition.FROZEN);
  }

  void thaw() throws IOException, InterruptedException {
    signal("CONT");
    disturbed(Condition.UP);
  }

  private synchronized void signal(String signal) throws IOException, InterruptedException {
    if (process != null) {
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    line.close();
  }
}
