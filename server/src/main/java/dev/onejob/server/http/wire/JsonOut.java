package dev.onejob.server.http.wire;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** One JSON object on its way into bytes. */
final class JsonOut {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int BYTES_EXPECTED = 1_024;

  private final ByteArrayOutputStream bytes;
  private final JsonGenerator json;

  private JsonOut(int bytesExpected) {
    bytes = new ByteArrayOutputStream(bytesExpected);
    json = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes);
  }

  static byte[] object(Consumer<JsonOut> members) {
    return object(BYTES_EXPECTED, members);
  }

  static byte[] object(int bytesExpected, Consumer<JsonOut> members) {
    JsonOut out = new JsonOut(bytesExpected);
    out.json.writeStartObject();
    members.accept(out);
    out.json.writeEndObject();
    out.json.close();
    return out.bytes.toByteArray();
  }

  void text(String name, @Nullable String value) {
    json.writeName(name);
    json.writeString(value);
  }

  void time(String name, @Nullable Instant value) {
    text(name, value == null ? null : value.toString());
  }

  /** An id, a word: whatever its text form says. */
  void id(String name, @Nullable Object value) {
    text(name, value == null ? null : value.toString());
  }

  void number(String name, long value) {
    json.writeName(name);
    json.writeNumber(value);
  }

  /** Seconds with milliseconds; never less than nothing. */
  void seconds(String name, Duration value) {
    json.writeName(name);
    json.writeNumber(
        BigDecimal.valueOf(Math.max(0, value.toMillis()), 3).stripTrailingZeros().toPlainString());
  }

  void truth(String name, boolean value) {
    json.writeName(name);
    json.writeBoolean(value);
  }

  void nothing(String name) {
    json.writeName(name);
    json.writeNull();
  }

  /** JSON that is text already; goes out byte for byte. */
  void raw(String name, byte[] value) {
    json.writeName(name);
    json.writeRawValue("");
    json.flush();
    bytes.writeBytes(value);
  }

  void texts(String name, List<String> values) {
    json.writeName(name);
    json.writeStartArray();
    values.forEach(json::writeString);
    json.writeEndArray();
  }

  <T> void member(String name, @Nullable T value, BiConsumer<JsonOut, T> members) {
    if (value == null) {
      nothing(name);
      return;
    }
    json.writeName(name);
    nested(value, members);
  }

  <T> void list(String name, List<T> values, BiConsumer<JsonOut, T> members) {
    json.writeName(name);
    json.writeStartArray();
    values.forEach(value -> nested(value, members));
    json.writeEndArray();
  }

  private <T> void nested(T value, BiConsumer<JsonOut, T> members) {
    json.writeStartObject();
    members.accept(this, value);
    json.writeEndObject();
  }

  /** A member of a problem document, which knows texts, numbers, lists and maps. */
  void any(String name, Object value) {
    json.writeName(name);
    any(value);
  }

  private void any(Object value) {
    switch (value) {
      case Number number -> json.writeNumber(number.longValue());
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(this::any);
        json.writeEndArray();
      }
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach((name, member) -> any(name.toString(), member));
        json.writeEndObject();
      }
      default -> json.writeString(value.toString());
    }
  }
}
