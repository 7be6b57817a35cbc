package dev.onejob.providers.responses;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.onejob.provider.Provider;
import dev.onejob.testkit.FarSide;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/** Many responses in the background, whose prompts say what becomes of them. */
final class ResponsesFarSide implements FarSide {
  private static final String PATH = "/v1/responses";
  private static final String CANCEL = "/cancel";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Map<String, Work> works = new ConcurrentHashMap<>();
  private final AtomicInteger submits = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();
  private final AtomicInteger cancels = new AtomicInteger();
  private volatile Answers answers = Answers.TRUTH;
  private final Provider provider;

  /** How questions are answered. */
  enum Answers {
    TRUTH,
    GARBAGE,
    NOTHING
  }

  /** One response. */
  private static final class Work {
    private String status;
    private boolean unheard;

    private Work(String status, boolean unheard) {
      this.status = status;
      this.unheard = unheard;
    }

    private synchronized String status() {
      return status;
    }

    private synchronized void end(String with) {
      if (status.equals("queued")) {
        status = with;
      }
    }

    private synchronized boolean isHeard() {
      boolean heard = !unheard;
      unheard = false;
      return heard;
    }
  }

  private ResponsesFarSide(HttpServer server, ObjectNode settings) {
    this.server = server;
    provider = OpenAiResponsesTest.provider(settings);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /** One that is relied on for as much. */
  static ResponsesFarSide start(String ended) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new ResponsesFarSide(server, OpenAiResponsesTest.settings(address).put("ended", ended));
  }

  /** How questions are answered from now on. */
  void answers(Answers how) {
    answers = how;
  }

  /** The id of the only response. */
  String onlyId() {
    return works.keySet().iterator().next();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try {
      String path = exchange.getRequestURI().getPath();
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      if (path.equals(PATH)) {
        submit(exchange, body);
      } else if (path.endsWith(CANCEL)) {
        cancels.incrementAndGet();
        String id = id(path.substring(0, path.length() - CANCEL.length()));
        Optional.ofNullable(works.get(id)).ifPresent(work -> work.end("cancelled"));
        say(exchange, id);
      } else {
        questions.incrementAndGet();
        answer(exchange, id(path));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  private static String id(String path) {
    return path.substring(PATH.length() + 1);
  }

  private void submit(HttpExchange exchange, String body) throws IOException {
    String id = "resp_" + submits.incrementAndGet();
    Fate fate = fate(body);
    boolean unheard = fate == Fate.ACCEPT || fate == Fate.FAIL_UNHEARD;
    works.put(id, new Work(status(fate), unheard));
    if (fate != Fate.LOSE_ANSWER) {
      write(exchange, 200, ResponsesPeer.status(unheard ? "queued" : status(fate)).body(), id);
    }
  }

  private static Fate fate(String body) {
    for (Fate fate : Fate.values()) {
      if (body.contains("\"" + fate + "\"")) {
        return fate;
      }
    }
    throw new IllegalArgumentException(body);
  }

  private static String status(Fate fate) {
    return switch (fate) {
      case SERVE, LOSE_ANSWER, ACCEPT -> "completed";
      case FAIL_UNHEARD -> "failed";
      case HOLD, LOSE_REQUEST -> "queued";
    };
  }

  private void answer(HttpExchange exchange, String id) throws IOException, InterruptedException {
    Work work = works.get(id);
    boolean heard = work == null || work.isHeard();
    switch (heard ? answers : Answers.NOTHING) {
      case TRUTH -> say(exchange, id);
      case GARBAGE -> write(exchange, 200, "<html>", id);
      case NOTHING -> closing.await();
    }
  }

  private void say(HttpExchange exchange, String id) throws IOException {
    Work work = works.get(id);
    if (work == null) {
      write(exchange, 404, "{\"error\":{\"code\":\"not_found\"}}", id);
    } else if (work.status().equals("completed")) {
      write(exchange, 200, ResponsesPeer.completed("because").body(), id);
    } else {
      write(exchange, 200, ResponsesPeer.status(work.status()).body(), id);
    }
  }

  private static void write(HttpExchange exchange, int status, String body, String id)
      throws IOException {
    byte[] bytes = body.replace(ResponsesPeer.ID, id).getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public Provider provider() {
    return provider;
  }

  @Override
  public Optional<byte[]> input(Fate fate) {
    return fate == Fate.LOSE_REQUEST
        ? Optional.empty()
        : Optional.of(("{\"q\":\"" + fate + "\"}").getBytes(UTF_8));
  }

  @Override
  public Duration timeout() {
    return Duration.ofSeconds(1);
  }

  int effects() {
    return (int) works.values().stream().filter(it -> it.status().equals("completed")).count();
  }

  @Override
  public Tally tally() {
    return new Tally(submits.get(), questions.get(), cancels.get(), effects());
  }

  @Override
  public void release() {
    works.values().forEach(work -> work.end("completed"));
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
