package dev.onejob.contract;

import dev.onejob.intent.JsonValue;
import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonBoolean;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import dev.onejob.intent.JsonValue.Member;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values as trees that schemas and rules look at, with every number exact and in one form: whole
 * numbers, however they were written, are integers, and all others decimals without trailing zeros.
 * So {@code 1}, {@code 1.0} and {@code 10e-1} are the same node. Nothing is rounded to a double.
 */
public final class ExactNodes {
  /**
   * Farthest that the first digit of a number may be from its point, in digits. A double reaches
   * 308; without a bound, a dozen characters would stand for a billion digits.
   */
  public static final int EXPONENT_MAX = 1_000;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ExactNodes() {}

  /** A number beyond {@link #EXPONENT_MAX}. */
  static final class OutOfRange extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String pointer;

    OutOfRange(String pointer) {
      super("a number beyond 1e" + EXPONENT_MAX + " or below 1e-" + EXPONENT_MAX);
      this.pointer = pointer;
    }

    String pointer() {
      return pointer;
    }
  }

  /**
   * The tree of a value.
   *
   * @throws OutOfRange if a number is too large or too small to be looked at
   */
  static JsonNode of(JsonValue value) {
    return of(value, "");
  }

  private static JsonNode of(JsonValue value, String pointer) {
    return switch (value) {
      case JsonObject object -> {
        ObjectNode node = JSON.objectNode();
        for (Member member : object.members()) {
          node.set(member.name(), of(member.value(), PathText.child(pointer, member.name())));
        }
        yield node;
      }
      case JsonArray array -> {
        ArrayNode node = JSON.arrayNode();
        for (JsonValue element : array.elements()) {
          node.add(of(element, PathText.child(pointer, node.size())));
        }
        yield node;
      }
      case JsonString string -> JSON.stringNode(string.text());
      case JsonNumber number -> number(number.text()).orElseThrow(() -> new OutOfRange(pointer));
      case JsonBoolean bool -> JSON.booleanNode(bool.value());
      case JsonNull nothing -> JSON.nullNode();
    };
  }

  /** The same tree with every number in its one form. */
  static JsonNode normalised(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode copy = JSON.objectNode();
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        copy.set(member.getKey(), normalised(member.getValue()));
      }
      return copy;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = JSON.arrayNode();
      array.forEach(element -> copy.add(normalised(element)));
      return copy;
    }
    return node.isNumber() ? number(node.toString()).orElseThrow(() -> new OutOfRange("")) : node;
  }

  /** A number by its exact value; empty if it is too large or too small. */
  private static Optional<JsonNode> number(String text) {
    BigDecimal exact;
    try {
      exact = new BigDecimal(text).stripTrailingZeros();
    } catch (NumberFormatException | ArithmeticException e) {
      return Optional.empty(); // an exponent beyond every representation
    }
    if (exact.signum() == 0) {
      return Optional.of(JSON.numberNode(0));
    }
    long exponent = (long) exact.precision() - exact.scale() - 1;
    if (Math.abs(exponent) > EXPONENT_MAX) {
      return Optional.empty();
    }
    return Optional.of(exact.scale() > 0 ? JSON.numberNode(exact) : whole(exact));
  }

  private static JsonNode whole(BigDecimal exact) {
    return exact.precision() - exact.scale() <= 18
        ? JSON.numberNode(exact.longValueExact())
        : JSON.numberNode(exact.toBigIntegerExact());
  }
}
