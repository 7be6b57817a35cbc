package dev.onejob.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server in a process of its own and the doors that it opened, in the order of its pools. */
final class ServerProcess implements AutoCloseable {
  private static final int STOP_SECONDS = 20;

  private final Process process;
  private final List<Door> doors = new ArrayList<>();

  /** Where to submit, and with which API key. */
  record Door(int port, String secret) {}

  private ServerProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @param inFront classes that go before all others; null: the product as it is
   * @param arguments of {@link SubmitServer#main}
   */
  static ServerProcess start(@Nullable Path inFront, List<String> arguments) throws IOException {
    return start(inFront, SubmitServer.class, arguments, arguments.size() / 2);
  }

  /** Starts a {@link PagesNode} of these arguments, which opens one door. */
  static ServerProcess startNode(List<String> arguments) throws IOException {
    return start(null, PagesNode.class, arguments, 1);
  }

  private static ServerProcess start(
      @Nullable Path inFront, Class<?> main, List<String> arguments, int doors) throws IOException {
    String classes = System.getProperty("java.class.path");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                inFront == null ? classes : inFront + File.pathSeparator + classes,
                main.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    ServerProcess server = new ServerProcess(process);
    BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
    for (int i = 0; i < doors; i++) {
      String line = said.readLine();
      if (line == null) {
        throw new IOException("the measured server ended before it listened");
      }
      String[] words = line.split(" ");
      server.doors.add(new Door(Integer.parseInt(words[0]), words[1]));
    }
    return server;
  }

  Door door(int pool) {
    return doors.get(pool);
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().completeOnTimeout(process, STOP_SECONDS, TimeUnit.SECONDS).join();
    if (process.isAlive()) {
      process.destroyForcibly();
    }
  }
}
