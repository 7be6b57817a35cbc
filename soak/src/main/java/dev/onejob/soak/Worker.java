package dev.onejob.soak;

import dev.onejob.testkit.FaultyLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A pull worker, with a way to each node that can be cut. */
final class Worker implements Target {
  private final Ground ground;
  private final String key;
  private final List<FaultyLine> lines = new ArrayList<>();
  private final Program program;

  /**
   * Makes one that does not run yet.
   *
   * @param key the secret of a worker key
   */
  Worker(String name, Ground ground, List<Node> nodes, String key) throws IOException {
    this.ground = ground;
    this.key = key;
    for (Node node : nodes) {
      lines.add(new FaultyLine(node.port()));
    }
    this.program = new Program(name, ground.log(name), this::command);
  }

  private ProcessBuilder command(String life) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Ground.java(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Ground.ownClassPath(),
                WorkerProcess.class.getName(),
                life,
                ground.provider() + "/" + Scripts.WORKERS));
    lines.forEach(line -> command.add("http://127.0.0.1:" + line.port()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put(WorkerProcess.KEY, key);
    return builder;
  }

  @Override
  public Program program() {
    return program;
  }

  @Override
  public List<FaultyLine> lines() {
    return List.copyOf(lines);
  }
}
