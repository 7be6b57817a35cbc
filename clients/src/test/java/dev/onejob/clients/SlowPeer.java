package dev.onejob.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A provider that is slow and fails. A prompt like {@code call openai-17} is an act that it counts,
 * takes its time for, and does to its end whether or not the caller stays. Of ten such prompts, the
 * one that ends in 3 is turned away once with 429 before any work, and the one that ends in 7 is
 * done the first time and its answer lost. Any other prompt is answered at once.
 */
final class SlowPeer implements AutoCloseable {
  private static final Pattern PROMPT = Pattern.compile("call ([a-z0-9-]+)-(\\d+)");
  private static final int BACKLOG = 1_024;
  private static final int TURNED_AWAY = 3;
  private static final int ANSWER_LOST = 7;

  private final HttpServer server;
  private final Duration workLasts;
  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
  private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
  private final Set<String> turnedAway = ConcurrentHashMap.newKeySet();
  private final Set<String> lost = ConcurrentHashMap.newKeySet();

  private SlowPeer(HttpServer server, Duration workLasts) {
    this.server = server;
    this.workLasts = workLasts;
  }

  static SlowPeer start(Duration workLasts) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    SlowPeer peer = new SlowPeer(server, workLasts);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/chat/completions", each -> peer.take(each, SlowPeer::completion));
    server.createContext("/v1/responses", each -> peer.take(each, SlowPeer::response));
    server.start();
    return peer;
  }

  URI baseUrl() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
  }

  /** How often it has acted for a client. */
  int effects(String client) {
    return effects.computeIfAbsent(client, key -> new AtomicInteger()).get();
  }

  private interface Reply {
    String saying(String text);
  }

  private void take(HttpExchange exchange, Reply reply) throws IOException {
    String request = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    Matcher prompt = PROMPT.matcher(request);
    if (!prompt.find()) {
      answer(exchange, 200, reply.saying("Hi"));
      return;
    }
    String call = prompt.group();
    int ending = Integer.parseInt(prompt.group(2)) % 10;
    if (ending == TURNED_AWAY && turnedAway.add(call)) {
      answer(exchange, 429, "{\"error\":{\"code\":\"rate_limit_exceeded\",\"message\":\"busy\"}}");
      return;
    }
    effects.computeIfAbsent(prompt.group(1), key -> new AtomicInteger()).incrementAndGet();
    boolean answerLost = ending == ANSWER_LOST && lost.add(call);
    later.schedule(
        () -> Thread.startVirtualThread(() -> done(exchange, answerLost, reply.saying(call))),
        workLasts.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private static void done(HttpExchange exchange, boolean answerLost, String body) {
    if (answerLost) {
      exchange.close(); // without a byte of an answer: the connection is cut
      return;
    }
    try {
      answer(exchange, 200, body);
    } catch (IOException e) {
      exchange.close(); // the caller has not stayed
    }
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private static String completion(String text) {
    return """
    {"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"peer","choices":[{"index":0,\
    "message":{"role":"assistant","content":"%s","refusal":null},"logprobs":null,\
    "finish_reason":"stop"}],\
    "usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\
    """
        .formatted(text);
  }

  private static String response(String text) {
    return """
    {"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,\
    "incomplete_details":null,"instructions":null,"metadata":{},"model":"peer","output":[\
    {"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[\
    {"type":"output_text","text":"%s","annotations":[]}]}],"parallel_tool_calls":true,\
    "temperature":1,"tool_choice":"auto","tools":[],"top_p":1,\
    "usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,\
    "output_tokens_details":{"reasoning_tokens":0},"total_tokens":5}}\
    """
        .formatted(text);
  }

  @Override
  public void close() {
    server.stop(0);
    later.shutdownNow();
  }
}
