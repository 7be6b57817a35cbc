package dev.onejob.contract;

import dev.onejob.domain.Breach;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.JsonValue;
import dev.onejob.intent.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads an answer that must be JSON as a whole: one value, no member twice, and around it nothing
 * but white space. Nothing is stripped and nothing is repaired; what is in the way is named.
 */
public final class WholeBody {
  /** The body is no JSON, or more than one JSON value. */
  public static final String NOT_JSON = "whole-body";

  /** A member is there twice. */
  public static final String DUPLICATE = "duplicate-member";

  private static final String FENCE = "```";
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private WholeBody() {}

  /** What a body is. */
  public sealed interface Reading {
    /** One value, and that is all. */
    record Whole(JsonValue value) implements Reading {}

    /** Something else. */
    record Spoiled(Breach breach) implements Reading {}
  }

  /** Reads a body. */
  public static Reading read(byte[] utf8) {
    try {
      return new Reading.Whole(StrictJson.read(utf8, JsonLimits.RESULT));
    } catch (JsonRefused e) {
      return new Reading.Spoiled(breach(utf8, e));
    }
  }

  private static Breach breach(byte[] utf8, JsonRefused refused) {
    if (refused.reason() == JsonRefused.Reason.DUPLICATE_MEMBER) {
      return new Breach(
          DUPLICATE, PathText.cut(refused.pointer()), "", "the same member a second time");
    }
    return new Breach(
        NOT_JSON,
        PathText.cut(refused.pointer()),
        "",
        PathText.cut(
            "the answer is not one JSON value: "
                + around(new String(utf8, StandardCharsets.UTF_8))
                    .orElse(String.valueOf(refused.getMessage()))));
  }

  /** What models are known to put around a value. */
  private static Optional<String> around(String text) {
    if (text.isBlank()) {
      return Optional.of("it is empty");
    }
    if (text.charAt(0) == BYTE_ORDER_MARK) {
      return Optional.of("it begins with a byte order mark");
    }
    String bare = text.strip();
    if (bare.startsWith(FENCE)) {
      return Optional.of("it is in a code fence");
    }
    int value = firstOf(bare);
    if (value > 0) {
      return Optional.of("there is text before it");
    }
    return value == 0 ? afterwards(bare) : Optional.of("it is text");
  }

  private static Optional<String> afterwards(String bare) {
    int end = endOfFirst(bare);
    if (end < 0) {
      return Optional.empty();
    }
    String rest = bare.substring(end).strip();
    if (rest.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        rest.startsWith("{") || rest.startsWith("[")
            ? "a second value comes after it"
            : "there is text after it");
  }

  /** Where an object or array begins; -1 if none does. */
  private static int firstOf(String text) {
    int object = text.indexOf('{');
    int array = text.indexOf('[');
    return object < 0 || (array >= 0 && array < object) ? array : object;
  }

  /** Just after the first value, by its brackets alone; -1 if they are never closed. */
  private static int endOfFirst(String text) {
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return i + 1;
      }
    }
    return -1;
  }
}
