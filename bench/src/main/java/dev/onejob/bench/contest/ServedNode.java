package dev.onejob.bench.contest;

import dev.onejob.bench.Ground;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A server as an operator starts it: the launcher, its settings of Java, a file of kinds. */
final class ServedNode implements AutoCloseable {
  /** Whose jobs wait for workers. */
  static final String ADMITTED = "admitted";

  /** Whose jobs the node gives to its own sandbox at once. */
  static final String WORKED_ON = "worked-on";

  private static final Duration START_MAX = Duration.ofSeconds(60);
  private static final Duration STOP_MAX = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(2);
  private static final int OK = 200;

  private static final String CONFIGURATION =
      """
      server:
        stop_grace: 1s
      kinds:
        %s:
          route: [workers]
        %s:
          route: [sandbox]
      providers:
        workers:
          type: worker
        sandbox:
          type: sandbox
      """
          .formatted(ADMITTED, WORKED_ON);

  private final Process process;
  private final Path data;
  private final URI uri;
  private final Duration startUp;

  private ServedNode(Process process, Path data, URI uri, Duration startUp) {
    this.process = process;
    this.data = data;
    this.uri = uri;
    this.startUp = startUp;
  }

  /**
   * Starts one on a database of the ground, and waits until it says that it is ready.
   *
   * @param root of the repository
   * @param folder where its data, its file and its log go; the same for the next start
   */
  static ServedNode start(Path root, Ground ground, String database, Path folder)
      throws IOException, InterruptedException {
    String address = "postgres://postgres@127.0.0.1:" + ground.port() + "/" + database;
    return start(root, folder, List.of("--database", address));
  }

  /** Starts one on its own embedded database, which lies in the folder, as {@link #start}. */
  static ServedNode startEmbedded(Path root, Path folder) throws IOException, InterruptedException {
    return start(root, folder, List.of());
  }

  private static ServedNode start(Path root, Path folder, List<String> more)
      throws IOException, InterruptedException {
    int port = freePort();
    Path data = folder.resolve("data");
    Path log = folder.resolve("server.log");
    Path file = Files.writeString(folder.resolve("onejob.yaml"), CONFIGURATION);
    List<String> command = new ArrayList<>();
    command.addAll(List.of(root.resolve("onejob").toString(), "serve"));
    command.addAll(List.of("--config", file.toString(), "--data", data.toString()));
    command.addAll(List.of("--port", Integer.toString(port)));
    command.addAll(more);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    URI uri = URI.create("http://127.0.0.1:" + port);
    long from = System.nanoTime();
    Process process = builder.start();
    try {
      awaitReady(process, uri, log, from);
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
    return new ServedNode(process, data, uri, Duration.ofNanos(System.nanoTime() - from));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitReady(Process process, URI uri, Path log, long from)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri.resolve("/readyz")).timeout(START_MAX).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!answers(client, request)) {
        boolean late = System.nanoTime() - from > START_MAX.toNanos();
        if (late || !process.isAlive()) {
          throw new IOException("the server was not ready:\n" + Files.readString(log));
        }
        Thread.sleep(LOOK);
      }
    }
  }

  private static boolean answers(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == OK;
    } catch (ConnectException e) {
      return false; // it does not listen yet
    }
  }

  /** From the start of the launcher until {@code /readyz} said yes. */
  Duration startUp() {
    return startUp;
  }

  /** The most memory that it ever had resident, in MB of a million bytes. */
  double peakMegabytes() throws IOException {
    return ProcessTimes.peakMebibytes(List.of(process.pid())) * Numbers.MEGABYTES_OF_A_MEBIBYTE;
  }

  /** Its door for one of its kinds, in the words of the protocol of contestants. */
  JsonNode door(String kind) throws IOException {
    JsonNode keys = JsonMapper.shared().readTree(Files.readString(data.resolve("first-keys.json")));
    ObjectNode door = JsonMapper.shared().createObjectNode();
    door.put("one_way", uri.resolve("/v1/jobs").toString()).put("key_header", "Idempotency-Key");
    door.putObject("headers").put("Authorization", "Bearer " + keys.path("client").asString());
    door.putObject("one_way_headers").put("Prefer", "return=minimal");
    return door.put("before", "{\"kind\":\"" + kind + "\",\"input\":").put("after", "}");
  }

  /** Stops it as its operator would: in order. */
  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(process, STOP_MAX.toMillis(), TimeUnit.MILLISECONDS).join();
    if (process.isAlive()) {
      process.destroyForcibly();
    }
  }
}
