package dev.onejob.server.ui.playground;

import dev.onejob.engine.Submission;
import dev.onejob.server.config.DatabaseSettings;
import dev.onejob.server.ui.page.Means.Grounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A second node in a process of its own, over the same database: it takes one job, and is killed.
 * It ends by itself as soon as this node is gone, and after two minutes in any case.
 */
final class NodeToKill implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeToKill.class);

  /** A Java machine on a busy computer. */
  private static final Duration START_MAX = Duration.ofSeconds(60);

  /** Longest name of the node. */
  private static final int NAME_CHARS_MAX = 60;

  private static final long LOOK_MILLIS = 100;

  private final Process process;
  private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>(16);
  private CompletableFuture<Void> listening = CompletableFuture.completedFuture(null);
  private volatile @Nullable String ended;

  private NodeToKill(Process process) {
    this.process = process;
  }

  /**
   * What the other process is told, over its standard input: passwords are nowhere else.
   *
   * @param usual what it sends in the usual way besides
   */
  record Order(String node, Submission submission, UsualCall usual) {}

  /**
   * Starts it. It has no environment, and finds the same classes as this process.
   *
   * @throws IOException if no process can be started here
   * @throws RejectedExecutionException if this node stops; then no process is left behind
   */
  static NodeToKill start(Grounds grounds, Order order, ExecutorService threads)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx96m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    MortalNode.class.getName()))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    byte[] told = (told(grounds, order) + "\n").getBytes(StandardCharsets.UTF_8);
    NodeToKill node = new NodeToKill(builder.start());
    try {
      OutputStream in = node.process.getOutputStream();
      in.write(told);
      in.flush(); // stays open: its end is the sign that this node is gone
      node.listening = CompletableFuture.runAsync(node::listen, threads);
      return node;
    } catch (IOException | RuntimeException e) {
      node.close();
      throw e;
    }
  }

  private static ObjectNode told(Grounds grounds, Order order) {
    DatabaseSettings database = grounds.database();
    ObjectNode told = JsonNodeFactory.instance.objectNode();
    told.put("url", database.url()).put("user", database.user());
    told.put("password", database.password());
    told.put("sandbox", grounds.sandbox().toString()).put("node", order.node());
    Submission job = order.submission();
    told.put("owner", job.owner().value()).put("key", job.key().value()).put("kind", job.kind());
    told.put("input", new String(job.input(), StandardCharsets.UTF_8));
    told.put("usual_to", order.usual().to().toString());
    told.put("usual_body", order.usual().body());
    ObjectNode headers = told.putObject("usual_headers");
    order.usual().headers().forEach(headers::put);
    return told;
  }

  static String name(String node) {
    String cut = node.length() > NAME_CHARS_MAX ? node.substring(0, NAME_CHARS_MAX) : node;
    return cut + "-to-be-killed";
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(MortalNode.ENDED)) {
          ended = line.substring(MortalNode.ENDED.length());
        } else if (line.startsWith(MortalNode.SAYS) && !said.offer(line)) {
          return;
        }
      }
    } catch (IOException e) {
      LOG.warn("the second node of the playground is not heard any more", e);
    }
  }

  /** What it says next, without the mark; empty if it has ended or says nothing in time. */
  Optional<String> next(BooleanSupplier closing) throws InterruptedException {
    for (long i = 0; i < START_MAX.toMillis() / LOOK_MILLIS && !closing.getAsBoolean(); i++) {
      String line = said.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (line != null) {
        return Optional.of(line.substring(MortalNode.SAYS.length()));
      }
      if (!process.isAlive() && said.isEmpty()) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Whether its call in the usual way has come to an end of which it has told. */
  boolean hasHeard() {
    return ended != null;
  }

  long pid() {
    return process.pid();
  }

  /** How its call in the usual way has ended, as far as it has said so. */
  enum Ended {
    /** It has not: it was killed before. */
    NOT,
    ANSWERED,
    CUT
  }

  /**
   * How the call in the usual way has ended.
   *
   * @param status of the answer; 0 without one
   */
  record Call(Ended ended, int status) {}

  /**
   * SIGKILL; dead when this returns, and heard to the end. What it has said of its call is what it
   * would have confirmed by, and all that anybody will ever hear of it.
   */
  Call kill() {
    process.toHandle().destroyForcibly(); // which leaves the line open, to be read to its end
    process.onExit().join();
    listening.join();
    String says = ended;
    if (says == null) {
      return new Call(Ended.NOT, 0);
    }
    return says.equals(MortalNode.CUT)
        ? new Call(Ended.CUT, 0)
        : new Call(Ended.ANSWERED, Integer.parseInt(says));
  }

  @Override
  public void close() {
    kill();
    process.destroyForcibly(); // closes the line as well
  }
}
