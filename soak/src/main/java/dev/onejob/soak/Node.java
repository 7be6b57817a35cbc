package dev.onejob.soak;

import dev.onejob.testkit.FaultyLine;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A node at one address, with a way to its database that can be cut. */
final class Node implements Target {
  private static final Duration START_PATIENCE = Duration.ofSeconds(90);

  private final Ground ground;
  private final FaultyLine line;
  private final int port;
  private final Program program;

  Node(String name, Ground ground) throws IOException {
    this.ground = ground;
    this.line = new FaultyLine(ground.database().port());
    this.port = Ground.freePort();
    Path folder = ground.folder().resolve(name);
    this.program = new Program(name, ground.log(name), life -> command(life, folder));
  }

  private ProcessBuilder command(String life, Path folder) {
    return new ProcessBuilder(
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
        life,
        "--data",
        folder.toString());
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public List<FaultyLine> lines() {
    return List.of(line);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  int port() {
    return port;
  }

  /** Where the first node keeps the first API keys. */
  Path folder() {
    return ground.folder().resolve(name());
  }

  /**
   * Waits until it answers. One that has ended by itself is started again, as by a supervisor: a
   * node ends when its database cannot be reached while it starts.
   */
  void awaitReady(Api api) throws InterruptedException, IOException {
    long from = System.nanoTime();
    while (api.get(uri(), "/readyz").map(reply -> reply.status() != 200).orElse(true)) {
      if (System.nanoTime() - from > START_PATIENCE.toNanos()) {
        throw new IllegalStateException(name() + " is not ready; see " + ground.folder());
      }
      if (!program.lives()) {
        program.start();
      }
      Thread.sleep(100);
    }
  }
}
