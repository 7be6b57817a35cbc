package dev.onejob.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A worker in the hands of the test: it says what it is told to say, once. */
public final class Worker {
  private final ApiClient client;
  private final String name;

  /** A worker of that name, under the key of that client. */
  public Worker(ApiClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** An attempt in its hands. */
  public record Held(String id, String job, String token, JsonNode whole) {}

  /** Claims, under a new request id, and waits for nothing. */
  public ApiAnswer claim(String kind, int count) {
    return claim(kind, count, UUID.randomUUID().toString(), 0);
  }

  /** Claims. */
  public ApiAnswer claim(String kind, int count, String request, int waitSeconds) {
    return client.post(
        "/v1/attempts/claim",
        "{\"kinds\":[\"%s\"],\"count\":%d,\"request_id\":\"%s\",\"worker\":\"%s\",\"wait\":%d}"
            .formatted(kind, count, request, name, waitSeconds));
  }

  /** Claims one attempt that must come within seconds. */
  public Held take(String kind) {
    ApiAnswer answer = claim(kind, 1, UUID.randomUUID().toString(), 20);
    assertThat(answer.json().path("attempts").size()).as(answer.text()).isEqualTo(1);
    return held(answer, 0);
  }

  /** The attempt at that place of a claim's answer. */
  public static Held held(ApiAnswer claim, int place) {
    JsonNode attempt = claim.json().path("attempts").path(place);
    return new Held(
        attempt.path("id").asString(),
        attempt.path("job_id").asString(),
        attempt.path("lease_token").asString(),
        attempt);
  }

  /** Says that it begins. */
  public ApiAnswer accepted(Held held) {
    return say(held, "accepted", "{\"lease_token\":\"" + held.token() + "\"}");
  }

  /** Says that it lives. */
  public ApiAnswer heartbeat(Held held) {
    return say(held, "heartbeat", "{\"lease_token\":\"" + held.token() + "\"}");
  }

  /**
   * Says how it ended.
   *
   * @param rest members that follow the token, such as {@code "outcome":"failed"}
   */
  public ApiAnswer settle(Held held, String rest) {
    return say(held, "settle", "{\"lease_token\":\"" + held.token() + "\"," + rest + "}");
  }

  /** Says something about an attempt. */
  public ApiAnswer say(Held held, String word, String body) {
    return client.send("POST", "/v1/attempts/" + held.id() + "/" + word, body, Map.of());
  }
}
