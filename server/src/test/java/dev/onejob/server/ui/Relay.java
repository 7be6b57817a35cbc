package dev.onejob.server.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Where providers call back: carries it on to a node whose own address is known only once the node
 * listens, as a load balancer would.
 */
final class Relay implements AutoCloseable {
  private final HttpServer server;
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile @Nullable URI node;

  /** Listens on a free port of the loopback. */
  Relay() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::carry);
    server.start();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  void to(URI listening) {
    node = listening;
  }

  private void carry(HttpExchange exchange) throws IOException {
    try (exchange) {
      URI there = Objects.requireNonNull(node).resolve(exchange.getRequestURI());
      HttpRequest.Builder request =
          HttpRequest.newBuilder(there)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      HttpResponse<Void> answer = http.send(request.build(), BodyHandlers.discarding());
      exchange.sendResponseHeaders(answer.statusCode(), -1);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
