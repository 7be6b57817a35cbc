package dev.onejob.server.ui.playground;

import dev.onejob.domain.AttemptId;
import dev.onejob.domain.JobId;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A request of the usual way: straight to the provider, under an id that nobody has seen before.
 *
 * @param to the provider's address
 * @param headers the ids by which the sandbox counts; to the provider they say nothing
 */
record UsualCall(URI to, Map<String, String> headers, String body) {
  /**
   * A new one.
   *
   * @param count under which the sandbox counts the requests of this run
   */
  static UsualCall fresh(URI sandbox, String provider, JobId count, String body, long nowMillis) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Onejob-Job-Id", count.toString());
    headers.put(
        "Onejob-Attempt-Id", AttemptId.next(nowMillis, ThreadLocalRandom.current()).toString());
    return new UsualCall(URI.create(sandbox + "/" + provider + "/calls"), headers, body);
  }

  HttpRequest request() {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to).POST(HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return request.header("Content-Type", "application/json").build();
  }
}
