package dev.onejob.intent;

import dev.onejob.intent.JsonTexts.Nothing;
import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonBoolean;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Read trees, as plain Java values to compare and as lists of all their nodes. */
final class JsonTrees {
  private JsonTrees() {}

  static Object plain(JsonValue value) {
    return switch (value) {
      case JsonObject object -> {
        Map<String, Object> members = new TreeMap<>();
        object.members().forEach(member -> members.put(member.name(), plain(member.value())));
        yield members;
      }
      case JsonArray array -> array.elements().stream().map(JsonTrees::plain).toList();
      case JsonString string -> string.text();
      case JsonNumber number -> normal(new BigDecimal(withSmallExponent(number.text())));
      case JsonBoolean bool -> bool.value();
      case JsonNull nothing -> Nothing.NULL;
    };
  }

  /** The value with every number in one scale, so that equal numbers are equal objects. */
  static Object normal(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> members = new TreeMap<>();
        map.forEach((name, member) -> members.put((String) name, normal(member)));
        yield members;
      }
      case List<?> list -> list.stream().map(JsonTrees::normal).toList();
      case BigDecimal number ->
          number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
      default -> value;
    };
  }

  /** The value byte for byte as it was written. */
  static byte[] slice(JsonValue value, byte[] source) {
    return Arrays.copyOfRange(source, value.start(), value.end());
  }

  static List<JsonValue> all(JsonValue value) {
    List<JsonValue> nodes = new ArrayList<>(List.of(value));
    switch (value) {
      case JsonObject object ->
          object.members().forEach(member -> nodes.addAll(all(member.value())));
      case JsonArray array -> array.elements().forEach(item -> nodes.addAll(all(item)));
      case JsonString leaf -> {}
      case JsonNumber leaf -> {}
      case JsonBoolean leaf -> {}
      case JsonNull leaf -> {}
    }
    return nodes;
  }

  /** BigDecimal refuses the exponents of {@link JsonTexts}' more playful zeros. */
  private static String withSmallExponent(String raw) {
    return raw.startsWith("0E+9") ? "0" : raw;
  }
}
