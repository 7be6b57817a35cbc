package dev.onejob.bench.peer;

import java.util.Iterator;
import java.util.Map;

/** Writes an answer as one line of JSON. */
final class Words {
  private static final int FIRST_PRINTABLE = 0x20;

  private Words() {}

  static String line(Map<String, Object> answer) {
    StringBuilder text = new StringBuilder();
    write(text, answer);
    return text.toString();
  }

  private static void write(StringBuilder text, Object value) {
    switch (value) {
      case Map<?, ?> map -> writeObject(text, map);
      case Iterable<?> list -> writeList(text, list);
      case Number number -> text.append(number);
      case Boolean truth -> text.append(truth);
      default -> writeString(text, value.toString());
    }
  }

  private static void writeObject(StringBuilder text, Map<?, ?> map) {
    text.append('{');
    String between = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(between);
      writeString(text, entry.getKey().toString());
      text.append(':');
      write(text, entry.getValue());
      between = ",";
    }
    text.append('}');
  }

  private static void writeList(StringBuilder text, Iterable<?> list) {
    text.append('[');
    for (Iterator<?> each = list.iterator(); each.hasNext(); ) {
      write(text, each.next());
      if (each.hasNext()) {
        text.append(',');
      }
    }
    text.append(']');
  }

  private static void writeString(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char character = value.charAt(i);
      if (character == '"' || character == '\\') {
        text.append('\\').append(character);
      } else if (character < FIRST_PRINTABLE) {
        text.append("\\u%04x".formatted((int) character));
      } else {
        text.append(character);
      }
    }
    text.append('"');
  }
}
