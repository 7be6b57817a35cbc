package dev.onejob.contract;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A real input, and what is known about its right answer beyond the contract.
 *
 * @param name unique within its contract
 * @param input JSON in UTF-8; not copied, not to be changed
 * @param equal the value that the answer must have at a JSON pointer, numbers by exact value
 * @param rules that hold for the answer to this input
 * @param good an answer known to be right, by which the contract itself is tested; null: none
 */
public record Sample(
    String name,
    byte[] input,
    Map<String, JsonNode> equal,
    List<Rule> rules,
    @Nullable JsonNode good) {
  /** Copies the collections. */
  public Sample {
    equal = Map.copyOf(equal);
    rules = List.copyOf(rules);
  }
}
