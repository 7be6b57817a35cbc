package dev.onejob.providers.sandbox;

import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** An object of a script, and where it stands. */
record Part(String place, JsonNode node) {
  /** Checks that it is an object whose members are all among these. */
  Part allowing(Set<String> members) throws InvalidScript {
    if (!node.isObject()) {
      throw new InvalidScript(place, "expected an object");
    }
    for (String name : node.propertyNames()) {
      if (!members.contains(name)) {
        throw wrong(
            name, "unknown; known are " + String.join(", ", members.stream().sorted().toList()));
      }
    }
    return this;
  }

  InvalidScript wrong(String member, String problem) {
    return new InvalidScript(place + "." + member, problem);
  }

  OptionalLong number(String name, long max) throws InvalidScript {
    JsonNode value = node.get(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    boolean fits = value.isIntegralNumber() && value.canConvertToLong();
    if (!fits || value.longValue() < 0 || value.longValue() > max) {
      throw wrong(name, "expected a whole number from 0 to " + max);
    }
    return OptionalLong.of(value.longValue());
  }

  boolean flag(String name) throws InvalidScript {
    JsonNode value = node.get(name);
    if (value != null && !value.isBoolean()) {
      throw wrong(name, "expected true or false");
    }
    return value != null && value.booleanValue();
  }

  String text(String name, String otherwise) throws InvalidScript {
    JsonNode value = node.get(name);
    if (value != null && !value.isString()) {
      throw wrong(name, "expected a string");
    }
    return value == null ? otherwise : value.stringValue();
  }
}
