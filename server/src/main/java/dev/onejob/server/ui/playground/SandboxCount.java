package dev.onejob.server.ui.playground;

import dev.onejob.domain.JobId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What really happened, by the sandbox's own count.
 *
 * @param requests that arrived, by provider
 * @param effects that took place, by provider
 */
record SandboxCount(SortedMap<String, Long> requests, SortedMap<String, Long> effects) {
  static final SandboxCount NOTHING =
      new SandboxCount(Collections.emptySortedMap(), Collections.emptySortedMap());

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Asks the sandbox. */
  static SandboxCount ask(HttpClient http, URI sandbox, JobId job)
      throws IOException, InterruptedException {
    HttpRequest question =
        HttpRequest.newBuilder(URI.create(sandbox + "/sandbox/effects?job=" + job))
            .timeout(PATIENCE)
            .build();
    HttpResponse<byte[]> answer = http.send(question, HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException("the sandbox answered " + answer.statusCode());
    }
    return of(JsonMapper.shared().readTree(answer.body()));
  }

  private static SandboxCount of(JsonNode document) {
    SortedMap<String, Long> requests = new TreeMap<>();
    SortedMap<String, Long> effects = new TreeMap<>();
    document
        .path("by_provider")
        .properties()
        .forEach(
            each -> {
              requests.put(each.getKey(), each.getValue().path("requests").asLong());
              effects.put(each.getKey(), each.getValue().path("effects").asLong());
            });
    return new SandboxCount(
        Collections.unmodifiableSortedMap(requests), Collections.unmodifiableSortedMap(effects));
  }

  long allRequests() {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }

  long allEffects() {
    return effects.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether every request has had the effect that it is going to have. */
  boolean settled(Choice choice) {
    return requests.entrySet().stream()
        .allMatch(
            each ->
                !choice.acts(each.getKey()) || each.getValue().equals(effects.get(each.getKey())));
  }
}
