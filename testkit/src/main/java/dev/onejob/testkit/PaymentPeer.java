package dev.onejob.testkit;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A small payment service over a real socket, with the rules that Stripe documents for its API v1:
 * {@code POST /v1/payment_intents} as a form under an {@code Idempotency-Key}, and {@code GET
 * /v1/payment_intents/{id}}.
 *
 * <p>The first answer after execution has begun is kept under its key and given again, a 500 too,
 * with {@code Idempotent-Replayed: true}. Other parameters under a known key are 400 {@code
 * idempotency_error}; a request beside one that is at work is 409 {@code idempotency_key_in_use};
 * nothing is kept of a request whose parameters are not valid. What happens to a request besides,
 * the test says in {@code metadata[fate]}: it holds for the first request under a key.
 *
 * <p>It counts what really happened. Nothing outlives it. Safe for many threads.
 */
public final class PaymentPeer implements Closeable {
  /** The secret key that it takes. */
  public static final String SECRET = "sk_test_peer";

  /** What happens to the first request under a key; further ones are served. */
  public enum Fate {
    /** It acts and answers. */
    SERVE,
    /** It acts, keeps the answer, and closes the connection without a byte. */
    LOSE_ANSWER,
    /** It closes the connection before it has taken anything in. */
    LOSE_REQUEST,
    /** It begins, is at work until {@link #release}, and closes the connection without a byte. */
    HOLD,
    /** It says that the payment is being processed; asked about its id, it is done. */
    PROCESS,
    /** The card is declined: 402, which is kept. */
    DECLINE,
    /** The same, and the connection is closed without a byte. */
    DECLINE_UNHEARD,
    /** It acts, and answers 500, which is kept. */
    BREAK
  }

  private static final String PATH = "/v1/payment_intents";

  private final ServerSocket server;
  private final Books books;
  private final Map<String, Kept> keys = new LinkedHashMap<>();
  private final Map<String, String> payments = new ConcurrentHashMap<>();
  private final Set<String> lost = new HashSet<>();
  private final List<String> heads = new ArrayList<>();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();

  /**
   * What is kept under a key.
   *
   * @param answer null: it is at work
   */
  private record Kept(String parameters, @Nullable Answer answer) {}

  /**
   * An answer.
   *
   * @param heard whether it is sent; else the connection is closed
   */
  private record Answer(int status, String headers, String body, boolean heard) {
    /** The connection is closed without a byte. */
    static final Answer NONE = new Answer(0, "", "", false);

    Answer replayed() {
      return new Answer(status, headers + "Idempotent-Replayed: true\r\n", body, true);
    }

    Answer unheard() {
      return new Answer(status, headers, body, false);
    }

    static Answer error(int status, String type, String code, String message) {
      String body =
          """
          {"error": {"type": "%s", "code": %s, "message": "%s"}}"""
              .formatted(type, code.isEmpty() ? "null" : "\"" + code + "\"", message);
      return new Answer(status, "", body, true);
    }
  }

  /** Where payments are written down besides, before anybody hears of them. */
  public interface Books {
    /** A payment was made for that attempt of that job, as the request's headers name them. */
    void paid(String job, String attempt);
  }

  private PaymentPeer(ServerSocket server, Books books) {
    this.server = server;
    this.books = books;
  }

  /** Starts one on a free port of this machine. */
  public static PaymentPeer start() throws IOException {
    return start((job, attempt) -> {});
  }

  /** Starts one that keeps books; {@link Fate#HOLD} is not for it. */
  public static PaymentPeer start(Books books) throws IOException {
    ServerSocket socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    PaymentPeer peer = new PaymentPeer(socket, books);
    Thread.ofVirtual().start(peer::accept);
    return peer;
  }

  /** Where it listens. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** How many whole requests for a payment have arrived. */
  public int requests() {
    return requests.get();
  }

  /** How many questions about a payment have arrived. */
  public int questions() {
    return questions.get();
  }

  /** How many payments were made. */
  public int effects() {
    return payments.size();
  }

  /** The heads of the requests for a payment, in order. */
  public synchronized List<String> heads() {
    return List.copyOf(heads);
  }

  /** What is at work comes to its end: the payments are made, and their answers kept. */
  public synchronized void release() {
    keys.replaceAll(
        (key, kept) ->
            kept.answer() == null
                ? new Kept(kept.parameters(), paid(kept.parameters(), "succeeded"))
                : kept);
  }

  /** Forgets every key, as once it is old; payments stay. */
  public synchronized void forgetKeys() {
    keys.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (SocketException e) {
        return; // closed: the test is over
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      Optional<PeerRequest> request = PeerRequest.read(socket.getInputStream());
      if (request.isPresent()) {
        Answer answer = answer(request.get());
        if (answer.heard()) {
          PeerRequest.answer(socket, answer.status(), answer.headers(), answer.body());
        }
      }
    } catch (IOException e) {
      // The caller went away, or the test closed the connection: both are part of the play.
    } finally {
      sockets.remove(socket);
    }
  }

  private Answer answer(PeerRequest request) {
    if (request.line().startsWith("POST " + PATH + " ")) {
      return posted(request);
    }
    if (request.line().startsWith("GET " + PATH + "/")) {
      questions.incrementAndGet();
      return asked(request.line().substring(5 + PATH.length()).split(" ", 2)[0]);
    }
    return Answer.error(404, "invalid_request_error", "", "Unrecognized request URL.");
  }

  private Answer asked(String id) {
    String payment = payments.get(id);
    return payment == null
        ? Answer.error(404, "invalid_request_error", "resource_missing", "No such payment_intent.")
        : new Answer(200, "", payment, true);
  }

  private synchronized Answer posted(PeerRequest request) {
    requests.incrementAndGet();
    heads.add(request.head());
    if (!request.header("Authorization").equals("Bearer " + SECRET)) {
      return Answer.error(401, "invalid_request_error", "", "Invalid API Key provided.");
    }
    String key = request.header("Idempotency-Key");
    Kept kept = keys.get(key);
    if (kept != null) {
      return again(kept, request.body());
    }
    Map<String, String> form = request.form();
    Fate fate = fate(form);
    if (fate == Fate.LOSE_REQUEST && lost.add(key)) {
      return Answer.NONE;
    }
    Optional<Answer> invalid = invalid(form);
    if (invalid.isPresent()) {
      return invalid.get();
    }
    int before = payments.size();
    Answer answer = performed(fate, request.body());
    if (payments.size() > before) {
      books.paid(request.header("Onejob-Job-Id"), request.header("Onejob-Attempt-Id"));
    }
    keys.put(key, new Kept(request.body(), fate == Fate.HOLD ? null : answer));
    return answer;
  }

  private static Fate fate(Map<String, String> form) {
    return Fate.valueOf(form.getOrDefault("metadata[fate]", Fate.SERVE.name()));
  }

  private static Answer again(Kept kept, String parameters) {
    if (!kept.parameters().equals(parameters)) {
      String message =
          "Keys for idempotent requests can only be used with the same parameters they were first"
              + " used with.";
      return Answer.error(400, "idempotency_error", "", message);
    }
    return kept.answer() == null
        ? Answer.error(
            409,
            "invalid_request_error",
            "idempotency_key_in_use",
            "There is currently another in-progress request using this Idempotent Key.")
        : kept.answer().replayed();
  }

  private static Optional<Answer> invalid(Map<String, String> form) {
    if (!form.getOrDefault("amount", "").matches("[1-9][0-9]{0,7}")) {
      return Optional.of(
          Answer.error(400, "invalid_request_error", "parameter_invalid_integer", "amount"));
    }
    return form.containsKey("currency")
        ? Optional.empty()
        : Optional.of(Answer.error(400, "invalid_request_error", "parameter_missing", "currency"));
  }

  private Answer performed(Fate fate, String parameters) {
    return switch (fate) {
      case SERVE, LOSE_REQUEST -> paid(parameters, "succeeded");
      case LOSE_ANSWER -> paid(parameters, "succeeded").unheard();
      case HOLD -> Answer.NONE;
      case PROCESS -> paid(parameters, "processing");
      case DECLINE -> declined();
      case DECLINE_UNHEARD -> declined().unheard();
      case BREAK -> {
        paid(parameters, "succeeded");
        yield Answer.error(500, "api_error", "", "Something went wrong on our end.");
      }
    };
  }

  private static Answer declined() {
    return Answer.error(402, "card_error", "card_declined", "Your card was declined.");
  }

  /** Makes the payment; the answer may still call it otherwise than it will be found later. */
  private Answer paid(String parameters, String status) {
    Map<String, String> form = PeerRequest.form(parameters);
    String id = "pi_" + (payments.size() + 1);
    String payment =
        """
        {"id": "%s", "object": "payment_intent", "amount": %s, "currency": "%s", "status": "%s"}"""
            .formatted(
                id,
                Objects.requireNonNull(form.get("amount")),
                Objects.requireNonNull(form.get("currency")),
                status);
    payments.put(id, payment.replace("\"processing\"", "\"succeeded\""));
    return new Answer(200, "", payment, true);
  }
}
