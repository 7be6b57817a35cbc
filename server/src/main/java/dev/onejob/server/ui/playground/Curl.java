package dev.onejob.server.ui.playground;

import java.net.URI;
import java.util.Map;

/**
 * The lines for a shell that do the same as a step. They name the key only as {@code $ONEJOB_KEY}.
 *
 * @param api where the API is found, without a slash at the end
 * @param sandbox where the sandbox is found from the machine of the node
 */
record Curl(URI api, URI sandbox) {
  private static final String AUTHORIZATION = " \\\n  -H \"Authorization: Bearer $ONEJOB_KEY\"";

  /** Submits a job. */
  String submit(String key, String body) {
    return post(api + "/v1/jobs")
        + AUTHORIZATION
        + " \\\n  -H 'Idempotency-Key: "
        + key
        + "'"
        + json(body);
  }

  /** Posts to the API. */
  String act(String path, String body) {
    return post(api + path) + AUTHORIZATION + json(body);
  }

  /** Reads from the API. */
  String read(String path) {
    return "curl '" + api + path + "'" + AUTHORIZATION;
  }

  /** A request to the sandbox as it is. */
  String call(URI to, Map<String, String> headers, String body, long timeoutSeconds) {
    StringBuilder line = new StringBuilder(post(to.toString()));
    line.append(" --max-time ").append(timeoutSeconds);
    headers.forEach(
        (name, value) ->
            line.append(" \\\n  -H '").append(name).append(": ").append(value).append('\''));
    return line + json(body);
  }

  private static String post(String url) {
    return "curl -X POST '" + url + "'";
  }

  private static String json(String body) {
    return " \\\n  -H 'Content-Type: application/json' \\\n  -d '" + body + "'";
  }
}
