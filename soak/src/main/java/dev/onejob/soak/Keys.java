package dev.onejob.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The first API keys, as the first node has kept them. */
record Keys(String operator, String client) {
  static Keys of(Path dataFolder) throws IOException {
    JsonNode kept =
        new JsonMapper().readTree(Files.readString(dataFolder.resolve("first-keys.json")));
    return new Keys(kept.path("operator").asString(), kept.path("client").asString());
  }

  /** Keeps the secrets out of logs. */
  @Override
  public String toString() {
    return "Keys";
  }
}
