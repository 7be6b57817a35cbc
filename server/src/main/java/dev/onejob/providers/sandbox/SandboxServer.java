package dev.onejob.providers.sandbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import dev.onejob.domain.Limits;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.http.Address;
import dev.onejob.providers.sandbox.SandboxLedger.Arrival;
import dev.onejob.providers.sandbox.Step.Again;
import dev.onejob.providers.sandbox.Step.Play;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The sandbox: an HTTP server on the loopback interface. {@code POST /{provider}/calls} plays the
 * provider's part, {@code POST /{provider}/status} says what became of a request, {@code GET
 * /sandbox/effects?job=…} tells what happened.
 */
public final class SandboxServer implements AutoCloseable {
  private static final int BACKLOG = 1024;

  /** A key, an id and a word: more is no question. */
  private static final int QUESTION_BYTES_MAX = 4 << 10;

  private static final Pattern CALLS = Pattern.compile("/([A-Za-z0-9][A-Za-z0-9._-]*)/calls");
  private static final Pattern STATUS = Pattern.compile("/([A-Za-z0-9][A-Za-z0-9._-]*)/status");
  private static final Pattern REF = Pattern.compile("sbx_([0-9]{1,18})");
  private static final String EFFECTS = "/sandbox/effects";
  private static final Pattern JOB_QUERY = Pattern.compile("job=([^&]*)");

  private final HttpServer server;
  private final ExecutorService threads;
  private final SandboxLedger ledger;
  private final KnownRequests known;
  private final SandboxCaller caller;

  private SandboxServer(HttpServer server, SandboxLedger ledger) {
    this.server = server;
    this.ledger = ledger;
    this.known = new KnownRequests(ledger.memory());
    this.threads = Executors.newVirtualThreadPerTaskExecutor();
    this.caller = new SandboxCaller(threads);
  }

  /**
   * Starts one.
   *
   * @param port 0 for any that is free
   */
  public static SandboxServer start(SandboxLedger ledger, int port) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    SandboxServer sandbox = new SandboxServer(HttpServer.create(address, BACKLOG), ledger);
    sandbox.server.createContext("/", sandbox::handle);
    sandbox.server.setExecutor(sandbox.threads);
    sandbox.server.start();
    return sandbox;
  }

  /** Where it listens; without a slash at the end. */
  public URI uri() {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
  }

  /** Cuts every connection. Effects that have not taken place by now never do. */
  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    Matcher calls = CALLS.matcher(path);
    Matcher status = STATUS.matcher(path);
    boolean post = exchange.getRequestMethod().equals("POST");
    if (post && calls.matches()) {
      call(exchange, calls.group(1));
    } else if (post && status.matches()) {
      status(exchange, status.group(1));
    } else if (path.equals(EFFECTS) && exchange.getRequestMethod().equals("GET")) {
      effects(exchange);
    } else {
      send(
          exchange,
          404,
          error("not-found", "POST /{provider}/calls, /{provider}/status or GET " + EFFECTS));
    }
  }

  private void call(HttpExchange exchange, String provider) throws IOException {
    Optional<JobId> job = JobId.parse(header(exchange, SandboxHeaders.JOB));
    Optional<AttemptId> attempt = AttemptId.parse(header(exchange, SandboxHeaders.ATTEMPT));
    byte[] input = exchange.getRequestBody().readNBytes(Limits.BODY_BYTES_MAX + 1);
    if (job.isEmpty() || attempt.isEmpty()) {
      String needed = SandboxHeaders.JOB + " and " + SandboxHeaders.ATTEMPT + " are needed";
      send(exchange, 400, error("ids-missing", needed));
    } else if (input.length > Limits.BODY_BYTES_MAX) {
      send(exchange, 413, error("too-large", "the input is larger than the sandbox takes"));
    } else {
      Arrival arrival = ledger.arrived(job.get(), attempt.get(), provider);
      Optional<KnownRequests.Reply> reply = kept(exchange, arrival, provider, input);
      if (reply.isPresent()) {
        send(exchange, reply.get());
      } else {
        JsonNode unscripted =
            SandboxAnswer.unscripted(provider, job.get(), attempt.get(), arrival.turn());
        play(exchange, begun(exchange, input, provider, arrival, unscripted), arrival, unscripted);
      }
    }
  }

  /** Empty if the provider is not to remember, or the request is to be performed. */
  private Optional<KnownRequests.Reply> kept(
      HttpExchange exchange, Arrival arrival, String provider, byte[] input) {
    String keep = header(exchange, SandboxHeaders.KEEP);
    String key = header(exchange, SandboxHeaders.PROVIDER_KEY);
    return keep.isEmpty() || key.isEmpty()
        ? Optional.empty()
        : known.arrived(
            arrival,
            new KnownRequests.Request(
                provider, key, input, keep.equals(SandboxHeaders.KEEP_ACT_ONCE)));
  }

  private void status(HttpExchange exchange, String provider) throws IOException {
    JsonNode question = question(exchange.getRequestBody().readNBytes(QUESTION_BYTES_MAX));
    String key = question.path("key").asString("");
    Matcher ref = REF.matcher(question.path("ref").asString(""));
    if (key.isEmpty() && !ref.matches()) {
      send(exchange, 400, error("question-invalid", "a key or a ref is needed"));
      return;
    }
    Optional<KnownRequests.Reply> reply =
        key.isEmpty()
            ? known.askedById(provider, Long.parseLong(ref.group(1)))
            : known.askedByKey(provider, key, question.path("final").asBoolean(false));
    if (reply.isPresent()) {
      send(exchange, reply.get());
    } else {
      play(exchange, Step.atOnce(new Play.Hang()), new Arrival(0, 0), question);
    }
  }

  private static JsonNode question(byte[] body) {
    try {
      return BoundedJson.read(body);
    } catch (JacksonException e) {
      return JsonNodeFactory.instance.missingNode();
    }
  }

  private static void send(HttpExchange exchange, KnownRequests.Reply reply) throws IOException {
    SandboxAnswer answer = reply.answer();
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.getResponseHeaders().set(SandboxHeaders.REF, "sbx_" + reply.ref());
    send(exchange, answer.status(), answer.body());
  }

  /** The step to be played, once its callbacks are under way. */
  private Step begun(
      HttpExchange exchange, byte[] input, String provider, Arrival arrival, JsonNode unscripted) {
    try {
      Step step = Script.step(input, provider, arrival.turn());
      CallbackScript callbacks = Script.callbacks(input, provider, arrival.turn());
      if (!callbacks.lines().isEmpty()) {
        caller.promise(callbackAddress(exchange, provider), callbacks, unscripted);
      }
      return step;
    } catch (InvalidScript e) {
      return Step.atOnce(new Play.Refuse("script-invalid", e.says(), Again.NEVER));
    }
  }

  private static URI callbackAddress(HttpExchange exchange, String provider) throws InvalidScript {
    String place = "script." + provider + ".callback";
    String address = header(exchange, SandboxHeaders.CALLBACK);
    if (address.isEmpty()) {
      throw new InvalidScript(
          place, "the request has no callback address; the node needs server.public_url");
    }
    try {
      return Address.of(address, "");
    } catch (InvalidSetting e) {
      throw new InvalidScript(place, "the callback address of the request is none");
    }
  }

  private void play(HttpExchange exchange, Step step, Arrival arrival, JsonNode unscripted) {
    SandboxAnswer answer = SandboxAnswer.of(step.play(), unscripted);
    try {
      new Performance(exchange, ledger, arrival, answer).play(step);
    } catch (InterruptedException e) {
      exchange.close(); // the sandbox itself is closing
      Thread.currentThread().interrupt();
    }
  }

  private void effects(HttpExchange exchange) throws IOException {
    String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
    Matcher job = JOB_QUERY.matcher(query);
    Optional<JobId> id = job.matches() ? JobId.parse(job.group(1)) : Optional.empty();
    if (id.isEmpty()) {
      send(exchange, 400, error("job-invalid", "expected ?job= and the id of a job"));
    } else {
      send(exchange, 200, ledger.effects(id.get()).toJson());
    }
  }

  private static String header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
  }

  private static ObjectNode error(String code, String message) {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.putObject("error").put("code", code).put("message", message);
    return document;
  }

  private static void send(HttpExchange exchange, int status, JsonNode document)
      throws IOException {
    send(exchange, status, BoundedJson.bytes(document));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
