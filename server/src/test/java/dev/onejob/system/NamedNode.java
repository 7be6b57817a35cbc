package dev.onejob.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands in for a node where only a load balancer is asked: answers its name, or a stream. */
final class NamedNode implements AutoCloseable {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final HttpServer server;
  private final byte[] name;
  private final AtomicInteger posts = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean drops;

  NamedNode(String name) throws IOException {
    this.name = name.getBytes(StandardCharsets.UTF_8);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.createContext("/stream", this::stream);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** From now on it reads a POST, and cuts the line. */
  void dropsPosts() {
    drops = true;
  }

  /** How many POSTs arrived. */
  int posts() {
    return posts.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestMethod().equals("POST")) {
        posts.incrementAndGet();
        if (drops) {
          return; // closed without a byte
        }
      }
      exchange.sendResponseHeaders(200, name.length);
      exchange.getResponseBody().write(name);
    }
  }

  private void stream(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (exchange;
        OutputStream out = exchange.getResponseBody()) {
      out.write("data: 1\n\n".getBytes(StandardCharsets.UTF_8));
      out.flush();
      closed.await(); // nothing more comes, and the end does not come either
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Which node answers a submit of that key. */
  static String met(URI entrance, String key) {
    HttpRequest request =
        HttpRequest.newBuilder(entrance.resolve("/v1/jobs"))
            .header("Idempotency-Key", key)
            .timeout(Duration.ofSeconds(10))
            .POST(BodyPublishers.ofString("{}"))
            .build();
    try {
      return HTTP.send(request, BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Posts, and takes what comes: HAProxy cuts the line of a caller where nginx answers 502. */
  static void post(URI uri) throws InterruptedException {
    try {
      statusOfPost(uri, "{}");
    } catch (IOException e) {
      // The line was cut: whoever sent the request does not know what came of it.
    }
  }

  static int statusOfPost(URI uri, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(20))
            .POST(BodyPublishers.ofString(body))
            .build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  static String firstLineOfAnEndlessStream(URI entrance) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(entrance.resolve("/stream")).timeout(Duration.ofSeconds(10)).build();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                HTTP.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
      return lines.readLine();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
