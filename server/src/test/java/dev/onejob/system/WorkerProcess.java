package dev.onejob.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One of the example workers in a process of its own. */
final class WorkerProcess implements AutoCloseable {
  private static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath().normalize();

  private final String name;
  private final Process process;
  private final Path output;

  private WorkerProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  static WorkerProcess python(String name, NodeProcess node, String key, String kind, Path folder) {
    Path worker = EXAMPLES.resolve("worker-python/worker.py");
    return start(name, List.of("python3", worker.toString()), node, key, kind, folder);
  }

  static WorkerProcess node(String name, NodeProcess node, String key, String kind, Path folder) {
    Path worker = EXAMPLES.resolve("worker-node/worker.mjs");
    return start(name, List.of("node", worker.toString()), node, key, kind, folder);
  }

  /** The folder holds the program {@code convert} that the workers are to use. */
  private static WorkerProcess start(
      String name, List<String> program, NodeProcess node, String key, String kind, Path folder) {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of("--url", node.uri().toString(), "--kind", kind, "--name", name));
    command.addAll(List.of("--convert", folder.resolve("convert").toString()));
    Path output = folder.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("ONEJOB_KEY", key);
    try {
      return new WorkerProcess(name, builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return name;
  }

  /** What it has printed so far. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL for the worker and what it has started: they are dead when this returns. */
  void kill() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
