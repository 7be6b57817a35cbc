package dev.onejob.providers.httpasync;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.onejob.providers.BoundedJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A provider that takes work and does it later, over real sockets, in the dialect of a real one.
 * Every submit that is not refused acts. What it answers, and when work ends, is in the hands of
 * the test.
 */
public final class Peer implements AutoCloseable {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Dialect dialect;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Work> works = new ConcurrentHashMap<>();
  private final BlockingQueue<Work> arrived = new LinkedBlockingQueue<>();
  private final AtomicInteger submits = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private final List<String> cancels = new CopyOnWriteArrayList<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile Function<Work, Submit> submit = work -> new Submit.Take(0);
  private volatile Look look = new Look.Truth();
  private volatile Answer result = new Answer(0, "");
  private volatile @Nullable JsonNode output;

  /** How submits are answered. */
  public sealed interface Submit {
    /** Acts and answers, after so long. */
    record Take(long afterMillis) implements Submit {}

    /** Acts, and answers once the test says so. */
    record TakeAfter(CountDownLatch told) implements Submit {}

    /** Acts and never answers. */
    record Silence() implements Submit {}

    /** Acts and cuts the line. */
    record Cut() implements Submit {}

    /** Acts and answers something else. */
    record Say(int status, String body) implements Submit {}

    /** Answers, and does nothing. */
    record Refuse(int status, String body) implements Submit {}
  }

  /** How looks at a state are answered. */
  public sealed interface Look {
    /** As it is. */
    record Truth() implements Look {}

    /** With something else. */
    record Say(int status, String body, Map<String, String> headers) implements Look {}

    /** Not at all. */
    record Silence() implements Look {}
  }

  /** An answer as it goes out; status 0: the truth. */
  private record Answer(int status, String body) {}

  /** A state of work. */
  public enum State {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELLED
  }

  /** One work, and the request that has brought it. */
  public static final class Work {
    final String id;
    final String path;
    final String query;
    final Map<String, List<String>> headers;
    final JsonNode body;
    volatile State state = State.QUEUED;
    volatile @Nullable JsonNode output;
    volatile String error = "";

    /** What happens at the first look, which is not answered then. */
    final AtomicReference<@Nullable Runnable> unheard = new AtomicReference<>();

    private Work(HttpExchange exchange, String id, JsonNode body) {
      this.id = id;
      this.path = exchange.getRequestURI().getRawPath();
      this.query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
      this.headers = Map.copyOf(exchange.getRequestHeaders());
      this.body = body;
    }

    /** The provider's id of it. */
    public String id() {
      return id;
    }

    String header(String name) {
      return headers.entrySet().stream()
          .filter(each -> each.getKey().equalsIgnoreCase(name))
          .map(each -> each.getValue().getFirst())
          .findFirst()
          .orElse("");
    }

    boolean isOver() {
      return state != State.QUEUED && state != State.RUNNING;
    }
  }

  private Peer(Dialect dialect) throws IOException {
    this.dialect = dialect;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  /** One that speaks as Replicate does. */
  public static Peer replicate() throws IOException {
    return new Peer(new ReplicateDialect());
  }

  /** One that speaks as fal's queue does. */
  public static Peer fal() throws IOException {
    return new Peer(new FalDialect());
  }

  /** Where it listens. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** How submits are answered from now on. */
  public void submits(Submit how) {
    submit = work -> how;
  }

  /** What becomes of each work as it arrives, and how its submit is answered. */
  void plays(Function<Work, Submit> how) {
    submit = how;
  }

  /** All work that it has taken. */
  List<Work> works() {
    return List.copyOf(works.values());
  }

  /** How looks are answered from now on. */
  public void looks(Look how) {
    look = how;
  }

  /** How results are answered from now on. */
  public void results(int status, String body) {
    result = new Answer(status, body);
  }

  /** Work ends with this as soon as it begins, from now on. */
  public void endsAtOnceWith(String json) {
    output = BoundedJson.read(json.getBytes(StandardCharsets.UTF_8));
  }

  /** How many submits have come. */
  public int submits() {
    return submits.get();
  }

  /** How many looks at a state have come. */
  public int looks() {
    return looks.get();
  }

  /** How often it has acted. */
  public int effects() {
    return works.size();
  }

  /** The ids that a cancel was asked for. */
  public List<String> cancels() {
    return List.copyOf(cancels);
  }

  /** Waits for the next work. */
  public Work next() throws InterruptedException {
    Work work = arrived.poll(60, TimeUnit.SECONDS);
    if (work == null) {
      throw new AssertionError("no work has come");
    }
    return work;
  }

  /** Ends work with a result. */
  public void succeed(Work work, String json) {
    work.output = BoundedJson.read(json.getBytes(StandardCharsets.UTF_8));
    work.state = State.SUCCEEDED;
  }

  /** Ends work without one. */
  public void end(Work work, State state, String error) {
    work.error = error;
    work.state = state;
  }

  /** Calls back about a work as it stands; gives the status of the answer. */
  public int callBack(Work work) throws IOException, InterruptedException {
    return callBack(
        dialect.callbackAddress(work).orElseThrow(), work, "event-" + UUID.randomUUID());
  }

  /** Calls back at another address, under an event of that name. */
  public int callBack(URI address, Work work, String event)
      throws IOException, InterruptedException {
    return send(address, BoundedJson.bytes(dialect.callback(work)), event).statusCode();
  }

  /** Sends a signed body. */
  public HttpResponse<String> send(URI address, byte[] body, String event)
      throws IOException, InterruptedException {
    return post(address, body, dialect.signed(body, event, Instant.now()));
  }

  /** Sends a body with these headers. */
  public static HttpResponse<String> post(URI address, byte[] body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** A body of the dialect about a work as it stands. */
  public byte[] callbackBody(Work work) {
    return BoundedJson.bytes(dialect.callback(work));
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getRawPath();
      Optional<JsonNode> document = dialect.document(path);
      if (document.isPresent()) {
        answer(exchange, 200, BoundedJson.text(document.get()));
        return;
      }
      String cancelled = dialect.workOf(path, "/cancel");
      String asked = dialect.workOf(path, dialect.statusEnding());
      String fetched = dialect.workOf(path, "");
      if (cancelled != null && exchange.getRequestMethod().equals(dialect.cancelMethod())) {
        cancel(exchange, cancelled);
      } else if (asked != null && exchange.getRequestMethod().equals("GET")) {
        look(exchange, asked);
      } else if (fetched != null && exchange.getRequestMethod().equals("GET")) {
        fetch(exchange, fetched);
      } else if (exchange.getRequestMethod().equals("POST")) {
        submit(exchange, body);
      } else {
        answer(exchange, 405, "{}");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      exchange.close();
    }
  }

  private void submit(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
    submits.incrementAndGet();
    Work work = new Work(exchange, "w" + UUID.randomUUID(), BoundedJson.read(body));
    Submit how = submit.apply(work);
    if (how instanceof Submit.Refuse refuse) {
      answer(exchange, refuse.status(), refuse.body());
      return;
    }
    JsonNode at = output;
    if (at != null) {
      work.output = at;
      work.state = State.SUCCEEDED;
    }
    works.put(work.id, work);
    arrived.add(work);
    switch (how) {
      case Submit.Take take -> {
        closing.await(take.afterMillis(), TimeUnit.MILLISECONDS);
        answer(exchange, dialect.takenStatus(), BoundedJson.text(dialect.taken(work, uri())));
      }
      case Submit.TakeAfter take -> {
        take.told().await(1, TimeUnit.MINUTES);
        answer(exchange, dialect.takenStatus(), BoundedJson.text(dialect.taken(work, uri())));
      }
      case Submit.Silence s -> closing.await();
      case Submit.Cut c -> {} // closed without an answer
      case Submit.Say say -> answer(exchange, say.status(), say.body());
      case Submit.Refuse r -> throw new IllegalStateException();
    }
  }

  private void look(HttpExchange exchange, String id) throws IOException, InterruptedException {
    looks.incrementAndGet();
    Work work = works.get(id);
    Runnable unheard = work == null ? null : work.unheard.getAndSet(null);
    if (unheard != null) {
      unheard.run();
    }
    switch (unheard == null ? look : new Look.Silence()) {
      case Look.Truth t -> {
        if (work == null) {
          answer(exchange, 404, "{\"detail\":\"not found\"}");
        } else {
          answer(exchange, 200, BoundedJson.text(dialect.status(work, uri())));
        }
      }
      case Look.Say say -> {
        say.headers().forEach(exchange.getResponseHeaders()::set);
        answer(exchange, say.status(), say.body());
      }
      case Look.Silence s -> closing.await();
    }
  }

  private void fetch(HttpExchange exchange, String id) throws IOException {
    Work work = works.get(id);
    Answer other = result;
    JsonNode there = work == null ? null : work.output;
    if (other.status() != 0) {
      answer(exchange, other.status(), other.body());
    } else if (there == null) {
      answer(exchange, 404, "{}");
    } else {
      answer(exchange, 200, BoundedJson.text(there));
    }
  }

  private void cancel(HttpExchange exchange, String id) throws IOException {
    cancels.add(id);
    Work work = works.get(id);
    if (work == null) {
      answer(exchange, 404, "{}");
      return;
    }
    if (!work.isOver()) {
      work.state = State.CANCELLED;
    }
    answer(exchange, 200, BoundedJson.text(dialect.status(work, uri())));
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
