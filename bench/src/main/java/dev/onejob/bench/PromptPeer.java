package dev.onejob.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A provider of chat completions that answers each request after the same time. */
final class PromptPeer implements AutoCloseable {
  private static final byte[] COMPLETION =
      """
      {"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,\
      "message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],\
      "usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\
      """
          .getBytes(UTF_8);
  private static final int BACKLOG = 1_024;
  private static final int OK = 200;

  private final HttpServer server;
  private final Duration work;
  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

  private PromptPeer(HttpServer server, Duration work) {
    this.server = server;
    this.work = work;
  }

  static PromptPeer start(Duration work) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    PromptPeer peer = new PromptPeer(server, work);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/chat/completions", peer::take);
    server.start();
    return peer;
  }

  URI baseUrl() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
  }

  private void take(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    later.schedule(
        () -> Thread.startVirtualThread(() -> answer(exchange)),
        work.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private static void answer(HttpExchange exchange) {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(OK, COMPLETION.length);
      exchange.getResponseBody().write(COMPLETION);
    } catch (IOException e) {
      Progress.say("a caller of the provider has not stayed: " + e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    later.shutdownNow();
  }
}
