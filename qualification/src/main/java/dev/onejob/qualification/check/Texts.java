package dev.onejob.qualification.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/** Looks into texts and values, and quotes them. */
final class Texts {
  private static final int QUOTE_CHARS_MAX = 80;

  private Texts() {}

  /** The beginning of a text, fit for a sentence. */
  static String quoted(String text) {
    StringBuilder shown = new StringBuilder("\u201c");
    text.codePoints()
        .limit(QUOTE_CHARS_MAX)
        .forEach(
            c -> {
              if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                shown.append(String.format("\\u%04x", c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    boolean whole = text.codePointCount(0, text.length()) <= QUOTE_CHARS_MAX;
    return shown.append(whole ? "\u201d" : "\u2026\u201d").toString();
  }

  /** Visits every value below, with its pointer; the whole first. */
  static void walk(JsonNode value, BiConsumer<String, JsonNode> visit) {
    walk("", value, visit);
  }

  private static void walk(String at, JsonNode value, BiConsumer<String, JsonNode> visit) {
    visit.accept(at, value);
    value
        .properties()
        .forEach(each -> walk(at + "/" + step(each.getKey()), each.getValue(), visit));
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      walk(at + "/" + i, value.get(i), visit);
    }
  }

  static String step(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  /** All strings in a value. */
  static List<String> strings(JsonNode value) {
    List<String> strings = new ArrayList<>();
    walk(
        value,
        (at, each) -> {
          if (each.isString()) {
            strings.add(each.stringValue());
          }
        });
    return strings;
  }
}
