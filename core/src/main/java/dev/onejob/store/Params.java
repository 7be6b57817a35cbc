package dev.onejob.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values for the named parameters of a statement. */
final class Params {
  private final Map<String, @Nullable Object> values = new HashMap<>();

  private record ArrayOf(String type, @Nullable Object[] elements) {}

  Params set(String name, @Nullable Object value) {
    values.put(name, value instanceof Instant instant ? instant.atOffset(ZoneOffset.UTC) : value);
    return this;
  }

  /** One array column, an element for each item. */
  <T> Params column(
      String name, String type, List<T> items, Function<T, @Nullable Object> element) {
    // The driver wants arrays of bytea as what they are.
    @Nullable Object[] elements =
        type.equals("bytea") ? new byte[items.size()][] : new Object[items.size()];
    for (int i = 0; i < elements.length; i++) {
      Object value = element.apply(items.get(i));
      elements[i] = value instanceof Instant instant ? text(instant) : value;
    }
    values.put(name, new ArrayOf(type, elements));
    return this;
  }

  private static String text(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
  }

  void bind(Connection connection, PreparedStatement statement, List<String> names)
      throws SQLException {
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      if (!values.containsKey(name)) {
        throw new IllegalStateException("no value for :" + name);
      }
      Object value = values.get(name);
      if (value instanceof ArrayOf array) {
        statement.setArray(i + 1, connection.createArrayOf(array.type, array.elements));
      } else {
        statement.setObject(i + 1, value);
      }
    }
  }
}
