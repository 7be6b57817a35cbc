package dev.onejob.qualification;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a question is asked otherwise than in production. What it does not name stays as the
 * provider's settings say. An adapter that cannot be asked so says that, and nothing is sent.
 *
 * @param document the members that adapters read: {@code system} replaces the system turn, {@code
 *     system_before} and {@code system_after} stand around it, {@code user} replaces the user's
 *     turns, {@code user_after} follows them, {@code parameters} are set, {@code without} are left
 *     out, {@code key} is sent instead of the provider's, {@code play} is a failure that is played
 *     to the adapter, {@code render} asks for the prompt alone
 */
public record Twist(ObjectNode document) {
  /** None: as in production. */
  public static Twist none() {
    return new Twist(JsonNodeFactory.instance.objectNode());
  }

  /** With a text besides. */
  public Twist with(String member, String text) {
    ObjectNode copy = document.deepCopy();
    return new Twist(copy.put(member, text));
  }

  /** With a parameter of the request set. */
  public Twist parameter(String name, JsonNode value) {
    ObjectNode copy = document.deepCopy();
    copy.withObjectProperty("parameters").set(name, value);
    return new Twist(copy);
  }

  /** Without a parameter of the request. */
  public Twist without(String name) {
    ObjectNode copy = document.deepCopy();
    copy.withArrayProperty("without").add(name);
    return new Twist(copy);
  }

  /** Asks for the rendered prompt. */
  public Twist rendered() {
    ObjectNode copy = document.deepCopy();
    return new Twist(copy.put("render", true));
  }

  /** Whether nothing is asked otherwise. */
  public boolean isNone() {
    return document.isEmpty();
  }
}
