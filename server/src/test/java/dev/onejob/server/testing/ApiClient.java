package dev.onejob.server.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Talks to the API under one key. Every answer is held against the OpenAPI document before the test
 * gets to see it.
 */
public final class ApiClient {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final URI base;
  private final String apiKey;

  /**
   * A client.
   *
   * @param base such as {@code http://127.0.0.1:8080}
   * @param apiKey empty: none is sent
   */
  public ApiClient(URI base, String apiKey) {
    this.base = base;
    this.apiKey = apiKey;
  }

  /** Submits an intent whose body is made of kind and input. */
  public ApiAnswer submit(String key, String kind, String input) {
    return submit(key, "{\"kind\":\"" + kind + "\",\"input\":" + input + "}");
  }

  /** Submits an intent. */
  public ApiAnswer submit(String key, String body) {
    return send("POST", "/v1/jobs", body, Map.of("Idempotency-Key", key));
  }

  /** Reads. */
  public ApiAnswer get(String pathAndQuery) {
    return send(builder(pathAndQuery).GET().build());
  }

  /** Posts JSON; an empty text posts no body. */
  public ApiAnswer post(String path, String body) {
    return send("POST", path, body, Map.of());
  }

  /** Deletes. */
  public ApiAnswer delete(String path) {
    return send(builder(path).DELETE().build());
  }

  /** Sends text with further header fields; {@code Content-Type} is JSON unless given. */
  public ApiAnswer send(
      String method, String pathAndQuery, String body, Map<String, String> headers) {
    return send(method, pathAndQuery, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** Sends bytes. */
  public ApiAnswer send(
      String method, String pathAndQuery, byte[] body, Map<String, String> headers) {
    HttpRequest.Builder request = builder(pathAndQuery);
    if (body.length > 0 && !headers.containsKey("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    headers.forEach(request::header);
    request.method(
        method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    return send(request.build());
  }

  /** A request to this node, under this key. */
  public HttpRequest.Builder builder(String pathAndQuery) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(pathAndQuery)).timeout(PATIENCE);
    return apiKey.isEmpty() ? request : request.header("Authorization", "Bearer " + apiKey);
  }

  /** Sends a request as it is. */
  public ApiAnswer send(HttpRequest request) {
    try {
      HttpResponse<byte[]> response = HTTP.send(request, BodyHandlers.ofByteArray());
      Map<String, List<String>> headers = new HashMap<>();
      response.headers().map().forEach((k, v) -> headers.put(k.toLowerCase(Locale.ROOT), v));
      ApiAnswer answer = new ApiAnswer(response.statusCode(), headers, response.body());
      OpenApiCheck.check(request.method(), request.uri().getPath(), answer);
      return answer;
    } catch (IOException e) {
      throw new AssertionError(request + " got no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
