package dev.onejob.server.ui.playground;

import dev.onejob.server.config.PlaygroundKinds;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What somebody wants to see.
 *
 * @param first how the first provider behaves
 * @param second how the second does
 */
public record Choice(Preset preset, Play first, Play second) {
  static Choice usual(Preset preset) {
    return new Choice(preset, preset.first(), preset.second());
  }

  /** The longer of the two delays. */
  long delayMillis() {
    return Math.max(first.delayMillis(), second.delayMillis());
  }

  /** Whether a request to that provider has an effect, sooner or later. */
  boolean acts(String provider) {
    return (provider.equals(PlaygroundKinds.SECOND) ? second : first).acts();
  }

  /** The input of a job: what is ordered, and how the providers behave. */
  String input(String order) {
    return inputNode(order).toString();
  }

  byte[] inputBytes(String order) {
    return input(order).getBytes(StandardCharsets.UTF_8);
  }

  private ObjectNode inputNode(String order) {
    ObjectNode input = JsonNodeFactory.instance.objectNode();
    input.put("order", order);
    ObjectNode script = input.putObject("script");
    script.set(PlaygroundKinds.FIRST, first.script(preset));
    script.set(PlaygroundKinds.SECOND, second.script(preset));
    return input;
  }

  /** The body of a submission. */
  String submission(String order) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("kind", preset.kind());
    body.set("input", inputNode(order));
    return body.toString();
  }
}
