package dev.onejob.server.webhooks;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;

/** A receiver of webhooks on a real socket of the loopback. */
public final class Receiver implements AutoCloseable {
  private final HttpServer server;
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private volatile ToIntFunction<Received> status;

  /** A request as it arrived. */
  public record Received(String method, HttpHeaders headers, String body) {
    public String header(String name) {
      return headers.firstValue(name).orElse("(none)");
    }

    public String id() {
      return header("webhook-id");
    }

    /** As the official library judges it, which allows five minutes of age. */
    public boolean isVerifiedBy(String secret) {
      try {
        new Webhook(secret).verify(body, headers.map());
        return true;
      } catch (WebhookVerificationException e) {
        return false;
      } catch (EmptyWebhookSecretException e) {
        throw new AssertionError(e);
      }
    }
  }

  private Receiver(HttpServer server, ToIntFunction<Received> status) {
    this.server = server;
    this.status = status;
  }

  public static Receiver answering(ToIntFunction<Received> status) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    Receiver receiver = new Receiver(server, status);
    server.createContext("/", receiver::take);
    server.start();
    return receiver;
  }

  private void take(HttpExchange exchange) throws IOException {
    Received one =
        new Received(
            exchange.getRequestMethod(),
            HttpHeaders.of(exchange.getRequestHeaders(), (name, value) -> true),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    int answer = status.applyAsInt(one);
    received.add(one);
    if (answer / 100 == 3) {
      exchange.getResponseHeaders().add("Location", url("/elsewhere"));
    }
    byte[] body = "a secret of the receiver".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer, answer == 204 ? -1 : body.length);
    if (answer != 204) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  /** From now on. */
  void answers(int other) {
    status = one -> other;
  }

  public List<Received> received() {
    return List.copyOf(received);
  }

  int port() {
    return server.getAddress().getPort();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
