package dev.onejob.server.qualification;

import dev.onejob.providers.BoundedJson;
import dev.onejob.qualification.Ask;
import dev.onejob.qualification.Candidate;
import dev.onejob.qualification.Twist;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The input of a probe: which provider is asked what, and how.
 *
 * @param kind that the provider is qualified for
 * @param settings a digest of the settings that it is qualified with
 * @param input as production would send it
 */
record ProbeInput(
    String kind, String provider, String settings, String ask, byte[] input, Twist twist) {
  static ProbeInput of(String kind, Candidate provider, Ask ask) {
    return new ProbeInput(
        kind, provider.name(), provider.binding(), ask.key(), ask.input(), ask.twist());
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  static ProbeInput of(JsonNode json) {
    JsonNode twist = json.path("twist");
    boolean whole =
        json.path("kind").isString() && json.path("provider").isString() && twist.isObject();
    if (!whole) {
      throw new IllegalArgumentException("this is no question of a qualification");
    }
    return new ProbeInput(
        json.path("kind").stringValue(),
        json.path("provider").stringValue(),
        json.path("settings").asString(""),
        json.path("ask").asString(""),
        json.path("input").asString("").getBytes(StandardCharsets.UTF_8),
        new Twist((ObjectNode) twist));
  }

  byte[] bytes() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", kind).put("provider", provider).put("settings", settings).put("ask", ask);
    json.put("input", new String(input, StandardCharsets.UTF_8));
    json.set("twist", twist.document());
    return BoundedJson.bytes(json);
  }

  /** Whether a failure is played to the adapter instead of asking the provider. */
  boolean isPlayed() {
    return twist.document().has("play");
  }

  /** Whether a failure is what is asked for, so that every ending is an answer. */
  boolean isOfFailure() {
    return isPlayed() || twist.document().has("key");
  }

  boolean isRendering() {
    return twist.document().path("render").asBoolean(false);
  }
}
