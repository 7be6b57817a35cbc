package dev.onejob.server.qualification;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server that speaks the protocol of chat completions and has one known fault, or none. It is no
 * model: it reads the invoices of the tests, and keeps instructions in the words that questions of
 * a qualification are asked in.
 */
public final class FaultyPeer implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String BEGIN = "<s>";

  private final HttpServer server;
  private final PeerModel model;
  private final AtomicInteger completions = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private volatile @Nullable Fault fault;
  private volatile int busySeconds;
  private volatile JsonNode lastAsked = MissingNode.getInstance();

  private FaultyPeer(HttpServer server, @Nullable Fault fault) {
    this.server = server;
    this.fault = fault;
    this.model = new PeerModel(() -> this.fault);
  }

  /** One that listens on the loopback; null: with no fault. */
  public static FaultyPeer start(@Nullable Fault fault) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    FaultyPeer peer = new FaultyPeer(server, fault);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/v1/chat/completions", each -> peer.answer(each, peer::complete));
    server.createContext("/apply-template", each -> peer.answer(each, peer::template));
    server.createContext("/tokenize", each -> peer.answer(each, peer::tokenize));
    server.createContext("/detokenize", each -> peer.answer(each, FaultyPeer::detokenize));
    server.start();
    return peer;
  }

  /** Another fault from now on; null: none. */
  public void turn(@Nullable Fault other) {
    fault = other;
  }

  /** What an {@code openai-chat} provider is configured with. */
  public String baseUrl() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  /**
   * From now on it turns everything away and asks for that many seconds of patience; 0: no more.
   */
  public void busy(int seconds) {
    busySeconds = seconds;
  }

  /** The body of the last completion that was asked for; missing before the first. */
  public JsonNode lastAsked() {
    return lastAsked;
  }

  /** How many completions were asked for. */
  public int completions() {
    return completions.get();
  }

  /** How often anything at all was asked. */
  public int calls() {
    return calls.get();
  }

  private interface Reply {
    JsonNode to(JsonNode request);
  }

  private void answer(HttpExchange exchange, Reply reply) throws IOException {
    calls.incrementAndGet();
    try (exchange) {
      if ("Bearer onejob-has-no-such-key".equals(auth(exchange))) {
        byte[] refused = "{\"error\":{\"code\":\"invalid_api_key\"}}".getBytes(UTF_8);
        exchange.sendResponseHeaders(401, refused.length);
        exchange.getResponseBody().write(refused);
        return;
      }
      JsonNode request = JSON.readTree(exchange.getRequestBody().readAllBytes());
      int patience = busySeconds;
      if (patience > 0) {
        exchange.getResponseHeaders().set("Retry-After", "" + patience);
        exchange.sendResponseHeaders(429, -1);
        return;
      }
      byte[] body = JSON.writeValueAsBytes(reply.to(request));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static @Nullable String auth(HttpExchange exchange) {
    return exchange.getRequestHeaders().getFirst("Authorization");
  }

  private JsonNode complete(JsonNode request) {
    completions.incrementAndGet();
    lastAsked = request;
    PeerModel.Answer answer = model.answer(request);
    ObjectNode completion = JSON.createObjectNode();
    completion.put("model", fault == Fault.OTHER_MODEL ? "peer-mini" : "peer");
    completion.put("system_fingerprint", "fp_1");
    ObjectNode choice = completion.putArray("choices").addObject();
    choice.put("finish_reason", answer.finish());
    ObjectNode message = choice.putObject("message").put("role", "assistant");
    message.put("content", answer.text());
    if (answer.refusal() != null) {
      message.put("refusal", answer.refusal());
    }
    String prompt = rendered(request.path("messages"));
    int read = pieces(fault == Fault.MIDDLE_TRUNCATED_AS_COUNTED ? halved(prompt) : prompt).size();
    completion
        .putObject("usage")
        .put("prompt_tokens", read + (fault == Fault.BEGIN_TOKEN_DOUBLED ? 1 : 0))
        .put("completion_tokens", Math.max(1, pieces(answer.text()).size()));
    return completion;
  }

  private static String halved(String prompt) {
    return prompt.substring(0, prompt.length() / 2);
  }

  private JsonNode template(JsonNode request) {
    return JSON.createObjectNode().put("prompt", rendered(request.path("messages")));
  }

  /** A template that leaves the begin token to the tokenizer, or, doubled, does not. */
  private String rendered(JsonNode messages) {
    StringBuilder prompt = new StringBuilder(fault == Fault.BEGIN_TOKEN_DOUBLED ? BEGIN + " " : "");
    for (JsonNode message : messages) {
      prompt
          .append("<|")
          .append(message.path("role").asString())
          .append("|> ")
          .append(message.path("content").asString())
          .append(" <|end|> ");
    }
    return prompt.append("<|assistant|>").toString();
  }

  private JsonNode tokenize(JsonNode request) {
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode tokens = answer.putArray("tokens");
    if (request.path("add_special").asBoolean()) {
      tokens.addObject().put("id", BEGIN).put("piece", BEGIN);
    }
    for (String piece : pieces(request.path("content").asString())) {
      tokens.addObject().put("id", piece).put("piece", piece);
    }
    return answer;
  }

  /** The ids of this peer's tokens are their texts. */
  private static JsonNode detokenize(JsonNode request) {
    StringBuilder text = new StringBuilder();
    request.path("tokens").forEach(token -> text.append(token.asString()));
    return JSON.createObjectNode().put("content", text.toString());
  }

  /** Words and the gaps behind them. */
  private static List<String> pieces(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("(?<=\\s)(?=\\S)"));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
