package dev.onejob.contract;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/** Every text of a tree, with its place. Not recursive. */
final class Strings {
  private Strings() {}

  private record Open(String pointer, JsonNode value) {}

  /** Gives the place and text of each string value to the consumer; names of members are none. */
  static void of(JsonNode tree, BiConsumer<String, String> each) {
    Deque<Open> open = new ArrayDeque<>();
    open.push(new Open("", tree));
    while (!open.isEmpty()) {
      Open next = open.pop();
      JsonNode value = next.value;
      if (value.isString()) {
        each.accept(next.pointer, value.stringValue());
      } else if (value.isArray()) {
        for (int i = 0; i < value.size(); i++) {
          open.push(new Open(PathText.child(next.pointer, i), value.path(i)));
        }
      } else {
        for (Map.Entry<String, JsonNode> member : value.properties()) {
          open.push(new Open(PathText.child(next.pointer, member.getKey()), member.getValue()));
        }
      }
    }
  }
}
