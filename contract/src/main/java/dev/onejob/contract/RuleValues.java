package dev.onejob.contract;

import dev.cel.common.values.NullValue;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What rules look at.
 *
 * @param variables {@code input}, {@code output} and {@code usage}, as the language has them
 */
record RuleValues(Map<String, Object> variables) {
  /**
   * The values of one answer.
   *
   * @param usage in the provider's own words: an object if they are one in JSON, else an object
   *     whose member {@code text} holds them; null: null
   */
  static RuleValues of(JsonNode input, JsonNode output, @Nullable String usage) {
    return new RuleValues(
        Map.of("input", value(input), "output", value(output), "usage", usage(usage)));
  }

  private static Object usage(@Nullable String words) {
    if (words == null) {
      return NullValue.NULL_VALUE;
    }
    try {
      byte[] utf8 = words.getBytes(StandardCharsets.UTF_8);
      JsonNode tree = ExactNodes.of(StrictJson.read(utf8, JsonLimits.INPUT));
      if (tree.isObject()) {
        return value(tree);
      }
    } catch (JsonRefused | ExactNodes.OutOfRange e) {
      return Map.of("text", words); // words for people
    }
    return Map.of("text", words);
  }

  private static Object value(JsonNode node) {
    if (node.isObject()) {
      Map<String, Object> map = new LinkedHashMap<>();
      node.properties().forEach(member -> map.put(member.getKey(), value(member.getValue())));
      return map;
    }
    if (node.isArray()) {
      List<Object> list = new ArrayList<>(node.size());
      node.forEach(element -> list.add(value(element)));
      return list;
    }
    if (node.isString()) {
      return node.stringValue();
    }
    if (node.isNumber()) {
      return Decimal.of(node.decimalValue());
    }
    return node.isBoolean() ? (Object) node.booleanValue() : NullValue.NULL_VALUE;
  }
}
