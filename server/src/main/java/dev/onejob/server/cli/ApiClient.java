package dev.onejob.server.cli;

import dev.onejob.domain.IntentKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Speaks to a node. An intent is sent under one key, in one piece of bytes, however often the line
 * breaks: there is no way to send it under another.
 */
final class ApiClient implements AutoCloseable {
  /** Tries of one request; with the pauses between them about half a minute of trouble. */
  static final int TRIES_MAX = 8;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration PAUSE_FIRST = Duration.ofMillis(200);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(8);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();
  private final URI base;
  private final String apiKey;
  private final Terminal terminal;

  ApiClient(URI base, String apiKey, Terminal terminal) {
    this.base = base;
    this.apiKey = apiKey;
    this.terminal = terminal;
  }

  /** Admits an intent, or finds its job. Asks again under trouble: same key, same bytes. */
  Reply submit(IntentKey key, byte[] body) throws InterruptedException {
    return patiently(
        post("/v1/jobs", body).header("Idempotency-Key", key.value()).build(),
        "it is not known whether the job exists; the same command with --key " + key + " tells");
  }

  /** Reads; asks again under trouble. */
  Reply get(String path) throws InterruptedException {
    return patiently(request(path).GET().build(), "nothing was changed");
  }

  /** Asks for a move, once: whether it arrived can be seen from the job. */
  Reply move(String path, byte[] body) throws InterruptedException {
    return once(post(path, body).build());
  }

  /** Withdraws, once. */
  Reply delete(String path) throws InterruptedException {
    return once(request(path).DELETE().build());
  }

  @Override
  public void close() {
    http.close();
  }

  private HttpRequest.Builder post(String path, byte[] body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(body));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(ANSWER_TIMEOUT)
        .header("Accept", "application/json, application/problem+json")
        .header("Authorization", "Bearer " + apiKey);
  }

  private Reply once(HttpRequest request) throws InterruptedException {
    try {
      return send(request);
    } catch (IOException e) {
      throw CliFailure.unreachable(trouble(e) + "; what was asked may have arrived");
    }
  }

  private Reply patiently(HttpRequest request, String whenLost) throws InterruptedException {
    Duration pause = PAUSE_FIRST;
    for (int attempt = 1; ; attempt++) {
      String trouble;
      try {
        Reply reply = send(request);
        if (!reply.passing() || attempt == TRIES_MAX) {
          return reply;
        }
        trouble = "the server answered " + reply.status();
      } catch (IOException e) {
        trouble = trouble(e);
      }
      if (attempt == TRIES_MAX) {
        throw CliFailure.unreachable(trouble + ", after " + attempt + " tries; " + whenLost);
      }
      terminal.say(trouble + "; asking again in " + pause.toMillis() + " ms");
      terminal.pause().of(pause);
      pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
    }
  }

  private Reply send(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofByteArray());
    return new Reply(response.statusCode(), response.body());
  }

  private String trouble(IOException e) {
    String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return "no answer from " + base + " (" + what + ")";
  }
}
