package dev.onejob.providers.responses;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small server that follows OpenAI's specification of Responses in the background, for one
 * response at a time: submitted, asked about by its id, cancelled. What it says is scripted.
 */
final class ResponsesPeer implements Closeable {
  static final String ID = "resp_1";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Queue<Say> says = new ArrayDeque<>();
  private Say last = status("queued");
  private Say onCancel = status("cancelled");

  /** What one request is answered with; status 0: the connection is closed without a word. */
  record Say(int status, String body, String retryAfter) {}

  private ResponsesPeer(HttpServer server) {
    this.server = server;
  }

  static ResponsesPeer start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    ResponsesPeer peer = new ResponsesPeer(server);
    server.setExecutor(peer.threads);
    server.createContext("/", peer::handle);
    server.start();
    return peer;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  static Say status(String status) {
    return answer(response(status, "\"output\":[]"));
  }

  static Say answer(String body) {
    return new Say(200, body, "");
  }

  static Say completed(String text) {
    return answer(response("completed", output(text)));
  }

  static String output(String text) {
    return "\"output\":[{\"type\":\"reasoning\",\"summary\":[]},{\"type\":\"message\","
        + "\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\""
        + text
        + "\"}]}],\"usage\":{\"input_tokens\":5,\"output_tokens\":2}";
  }

  static String response(String status, String more) {
    return "{\"id\":\""
        + ID
        + "\",\"object\":\"response\",\"model\":\"m\",\"error\":null,\"status\":\""
        + status
        + "\","
        + more
        + "}";
  }

  /** What it says next, one after the other; the last one is said for ever. */
  synchronized ResponsesPeer says(Say... next) {
    says.addAll(List.of(next));
    return this;
  }

  /** What it says to a wish to cancel, and from then on. */
  synchronized ResponsesPeer onCancel(Say say) {
    onCancel = say;
    return this;
  }

  /** First lines and bodies of all requests. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  int count(String beginning) {
    return (int) requests.stream().filter(request -> request.startsWith(beginning)).count();
  }

  int submits() {
    return count("POST /v1/responses\n");
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    requests.add(exchange.getRequestMethod() + " " + path + "\n" + body);
    Say say = next(path.endsWith("/cancel"));
    if (say.status() == 0) {
      exchange.close();
      return;
    }
    if (!say.retryAfter().isEmpty()) {
      exchange.getResponseHeaders().set("Retry-After", say.retryAfter());
    }
    byte[] bytes = say.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(say.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private synchronized Say next(boolean cancel) {
    if (cancel) {
      says.clear();
      last = onCancel;
    } else if (!says.isEmpty()) {
      last = says.remove();
    }
    return last;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
