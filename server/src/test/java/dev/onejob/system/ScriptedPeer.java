package dev.onejob.system;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Speaks the protocol of chat completions over a real socket: turns requests away for good, or
 * takes them and says nothing until it is closed.
 */
final class ScriptedPeer implements AutoCloseable {
  private static final byte[] REFUSAL = "{\"error\":{\"code\":\"forbidden\"}}".getBytes(UTF_8);

  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpServer server;
  private volatile boolean silent;
  private volatile JsonNode lastAsked = MissingNode.getInstance();

  ScriptedPeer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String baseUrl() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  /** From now on, and not of what it has taken already. */
  void silent(boolean now) {
    silent = now;
  }

  int asked() {
    return asked.get();
  }

  /** The body of the last request; missing before the first. */
  JsonNode lastAsked() {
    return lastAsked;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      lastAsked = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
      boolean withoutAWord = silent;
      asked.incrementAndGet();
      if (withoutAWord) {
        closed.await();
        return;
      }
      exchange.sendResponseHeaders(403, REFUSAL.length);
      exchange.getResponseBody().write(REFUSAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
