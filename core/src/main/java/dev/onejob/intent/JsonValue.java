package dev.onejob.intent;

import java.util.List;
import java.util.Optional;

/**
 * A JSON value as it was read, with its place in the source.
 *
 * <p>{@code start} and {@code end} are byte offsets into the source: from the first byte of the
 * value to just after its last.
 */
public sealed interface JsonValue {
  /** Offset of the first byte. */
  int start();

  /** Offset just after the last byte. */
  int end();

  /** Members in the order of the source; no name comes twice. */
  record JsonObject(List<Member> members, int start, int end) implements JsonValue {
    public JsonObject {
      members = List.copyOf(members);
    }

    /** The value of a member, if it is there. */
    public Optional<JsonValue> member(String name) {
      return members.stream().filter(m -> m.name().equals(name)).map(Member::value).findFirst();
    }
  }

  /** A member of an object. */
  record Member(String name, JsonValue value) {}

  /** Elements in their order. */
  record JsonArray(List<JsonValue> elements, int start, int end) implements JsonValue {
    public JsonArray {
      elements = List.copyOf(elements);
    }
  }

  /** A string, unescaped. */
  record JsonString(String text, int start, int end) implements JsonValue {}

  /** A number, as it was written. */
  record JsonNumber(String text, int start, int end) implements JsonValue {}

  /** True or false. */
  record JsonBoolean(boolean value, int start, int end) implements JsonValue {}

  /** Null. */
  record JsonNull(int start, int end) implements JsonValue {}
}
