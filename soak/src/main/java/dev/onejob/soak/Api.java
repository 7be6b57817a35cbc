package dev.onejob.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls nodes under one API key. No answer is an answer here: nodes die, freeze and are cut off.
 */
final class Api {
  private static final Duration PATIENCE = Duration.ofSeconds(6);
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(3))
          .build();

  private final String secret;

  Api(String secret) {
    this.secret = secret;
  }

  /** What a node said. */
  record Reply(int status, JsonNode json) {
    boolean ok() {
      return status >= 200 && status <= 299;
    }

    /** The node, or its database, could not say: to be asked again. */
    boolean again() {
      return status >= 500;
    }

    String text(String member) {
      return json.path(member).asString("");
    }
  }

  Optional<Reply> submit(URI node, String key, String body) throws InterruptedException {
    return send(request(node, "/v1/jobs").header("Idempotency-Key", key), body);
  }

  Optional<Reply> post(URI node, String path, String body) throws InterruptedException {
    return send(request(node, path), body);
  }

  Optional<Reply> get(URI node, String path) throws InterruptedException {
    return send(request(node, path).GET().build());
  }

  private HttpRequest.Builder request(URI node, String path) {
    return HttpRequest.newBuilder(node.resolve(path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + secret);
  }

  private static Optional<Reply> send(HttpRequest.Builder request, String body)
      throws InterruptedException {
    return body.isEmpty()
        ? send(request.POST(BodyPublishers.noBody()).build())
        : send(
            request
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
  }

  /** Empty where no answer came, or none that can be read. */
  private static Optional<Reply> send(HttpRequest request) throws InterruptedException {
    try {
      HttpResponse<byte[]> answer = HTTP.send(request, BodyHandlers.ofByteArray());
      return Optional.of(new Reply(answer.statusCode(), MAPPER.readTree(answer.body())));
    } catch (IOException | JacksonException e) {
      return Optional.empty();
    }
  }
}
