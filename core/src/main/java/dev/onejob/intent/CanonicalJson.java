package dev.onejob.intent;

import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonBoolean;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import dev.onejob.intent.JsonValue.Member;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

/**
 * The canonical form: members sorted by UTF-16 code unit, arrays kept, no white space, strings by
 * code point without normalisation, numbers by exact decimal value.
 *
 * <p>It follows RFC 8785 but for numbers: nothing is rounded to a double. Depth is bounded by the
 * reader, so recursion is.
 */
public final class CanonicalJson {
  private CanonicalJson() {}

  /** Writes the canonical form in UTF-8. */
  public static byte[] write(JsonValue value) {
    StringBuilder text = new StringBuilder(value.end() - value.start());
    append(text, value);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void append(StringBuilder text, JsonValue value) {
    switch (value) {
      case JsonObject object -> appendObject(text, object);
      case JsonArray array -> appendArray(text, array.elements());
      case JsonString string -> appendString(text, string.text());
      case JsonNumber number -> text.append(ExactDecimal.canonical(number.text()));
      case JsonBoolean bool -> text.append(bool.value());
      case JsonNull nothing -> text.append("null");
    }
  }

  private static void appendObject(StringBuilder text, JsonObject object) {
    List<Member> sorted =
        object.members().stream().sorted(Comparator.comparing(Member::name)).toList();
    String separator = "{";
    for (Member member : sorted) {
      text.append(separator);
      appendString(text, member.name());
      append(text.append(':'), member.value());
      separator = ",";
    }
    text.append(sorted.isEmpty() ? "{}" : "}");
  }

  private static void appendArray(StringBuilder text, List<JsonValue> elements) {
    text.append('[');
    for (int i = 0; i < elements.size(); i++) {
      append(i == 0 ? text : text.append(','), elements.get(i));
    }
    text.append(']');
  }

  static void appendString(StringBuilder text, String string) {
    text.append('"');
    int written = 0;
    for (int i = 0; i < string.length(); i++) {
      char unit = string.charAt(i);
      if (unit == '"' || unit == '\\') {
        text.append(string, written, i).append('\\').append(unit);
        written = i + 1;
      } else if (unit < ' ' || (Character.isSurrogate(unit) && isUnpaired(string, i))) {
        text.append(string, written, i).append("\\u%04x".formatted((int) unit));
        written = i + 1;
      }
    }
    text.append(string, written, string.length()).append('"');
  }

  private static boolean isUnpaired(String string, int i) {
    char unit = string.charAt(i);
    if (Character.isHighSurrogate(unit)) {
      return i + 1 == string.length() || !Character.isLowSurrogate(string.charAt(i + 1));
    }
    return Character.isLowSurrogate(unit)
        && (i == 0 || !Character.isHighSurrogate(string.charAt(i - 1)));
  }
}
