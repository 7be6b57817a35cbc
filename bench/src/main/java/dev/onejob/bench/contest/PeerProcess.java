package dev.onejob.bench.contest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** A contestant that was started, and the conversation with it. */
final class PeerProcess implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(300);
  private static final Duration START_MAX = Duration.ofSeconds(60);
  private static final Duration STOP_MAX = Duration.ofSeconds(15);
  private static final int TOLD_LINES = 15;
  private static final ObjectMapper JSON = JsonMapper.shared();

  private final PeerRecipe recipe;
  private final Process process;
  private final Path log;
  private final BufferedReader answers;
  private final Writer commands;
  private final Duration startUp;
  private final JsonNode ready;

  /** A contestant said that it cannot be run here, and why. */
  static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String why) {
      super(why);
    }
  }

  private PeerProcess(PeerRecipe recipe, Process process, Path log, long from)
      throws IOException, InterruptedException {
    this.recipe = recipe;
    this.process = process;
    this.log = log;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.ready = read(START_MAX);
    this.startUp = Duration.ofNanos(System.nanoTime() - from);
  }

  /**
   * Starts one and waits until it is ready.
   *
   * @throws UnavailableException if it says that it cannot be run
   */
  static PeerProcess start(PeerRecipe recipe, Map<String, String> environment, Path log)
      throws IOException, InterruptedException, UnavailableException {
    ProcessBuilder builder =
        new ProcessBuilder(recipe.command())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    long from = System.nanoTime();
    Process process = builder.start();
    PeerProcess peer = open(recipe, process, log, from);
    if (!peer.ready.path("ready").asBoolean(false)) {
      peer.close();
      throw new UnavailableException(peer.ready.path("unavailable").asString("it was not ready"));
    }
    return peer;
  }

  private static PeerProcess open(PeerRecipe recipe, Process process, Path log, long from)
      throws IOException, InterruptedException {
    try {
      return new PeerProcess(recipe, process, log, from);
    } catch (IOException e) {
      end(process);
      throw e;
    }
  }

  /** What it said of itself. */
  JsonNode ready() {
    return ready;
  }

  /** From the start of the process until it was ready. */
  Duration startUp() {
    return startUp;
  }

  /** The processes that do its work. */
  List<Long> pids() {
    List<Long> pids = new ArrayList<>();
    ready.path("processes").forEach(one -> pids.add(one.path("pid").asLong()));
    return pids;
  }

  /**
   * Says a command and waits for the answer.
   *
   * @throws IOException if it fails, or does not answer
   */
  JsonNode ask(String command) throws IOException, InterruptedException {
    say(command);
    return hear(command);
  }

  /** Says a command; its answer must be heard before the next one is said. */
  void say(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
  }

  /** Waits for the answer to what was said. */
  JsonNode hear(String command) throws IOException, InterruptedException {
    JsonNode answer = read(ANSWER_MAX);
    if (answer.has("error")) {
      throw new IOException(
          recipe.name() + ", " + command + ": " + answer.path("error").asString());
    }
    return answer;
  }

  private JsonNode read(Duration atMost) throws IOException, InterruptedException {
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> readInto(line));
    try {
      String said = line.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
      if (!said.startsWith("{")) {
        throw new IOException(recipe.name() + " said something else than an answer: " + said);
      }
      return JSON.readTree(said);
    } catch (TimeoutException e) {
      throw new IOException(recipe.name() + " has not answered in " + atMost, e);
    } catch (ExecutionException e) {
      throw new IOException(recipe.name() + " has ended: " + lastWords(), e);
    }
  }

  private void readInto(CompletableFuture<String> line) {
    try {
      String said = answers.readLine();
      if (said == null) {
        line.completeExceptionally(new IOException("end of its output"));
      } else {
        line.complete(said);
      }
    } catch (IOException | UncheckedIOException e) {
      line.completeExceptionally(e);
    }
  }

  private String lastWords() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TOLD_LINES), lines.size()));
  }

  /** Ends it: its input ends, and if that is not enough it is killed with all its children. */
  @Override
  public void close() throws IOException {
    try {
      commands.close();
    } finally {
      end(process);
    }
  }

  private static void end(Process process) {
    List<ProcessHandle> children = process.descendants().toList();
    process.onExit().completeOnTimeout(process, STOP_MAX.toMillis(), TimeUnit.MILLISECONDS).join();
    if (process.isAlive()) {
      process.destroyForcibly();
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
