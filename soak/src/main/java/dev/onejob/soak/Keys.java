package dev.onejob.soak;

import dev.onejob.soak.Api.Reply;
import java.io.IOException;
import java.nio.file.Files;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** API keys: the first two, as the first node has kept them, and one for workers. */
record Keys(String operator, String client, String worker) {
  static Keys of(Node first) throws IOException, InterruptedException {
    JsonNode kept =
        new JsonMapper().readTree(Files.readString(first.folder().resolve("first-keys.json")));
    String operator = kept.path("operator").asString();
    String wish = "{\"name\":\"workers\",\"role\":\"worker\"}";
    String worker =
        new Api(operator)
            .post(first.uri(), "/v1/keys", wish)
            .filter(Reply::ok)
            .map(reply -> reply.text("secret"))
            .orElseThrow(() -> new IOException("a key for workers could not be made"));
    return new Keys(operator, kept.path("client").asString(), worker);
  }

  /** Keeps the secrets out of logs. */
  @Override
  public String toString() {
    return "Keys";
  }
}
