package dev.onejob.server.http.request;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The members of a body that is a JSON object. Null members count as absent but for payloads. */
public final class Members {
  private static final JsonMapper MAPPER = new JsonMapper();

  private record Slice(JsonNode value, byte[] bytes) {}

  private final Map<String, Slice> members;

  private Members(Map<String, Slice> members) {
    this.members = members;
  }

  public static Members read(byte[] body, Set<String> known) {
    Map<String, Slice> members = new LinkedHashMap<>();
    try (JsonParser parser = MAPPER.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw invalid("", "The body is a JSON object.");
      }
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        if (!known.contains(name)) {
          throw invalid("/" + name, "unknown");
        }
        parser.nextToken();
        int from = (int) parser.currentTokenLocation().getByteOffset();
        JsonNode value = parser.readValueAsTree();
        int to = (int) parser.currentLocation().getByteOffset();
        members.put(name, new Slice(value, Arrays.copyOfRange(body, from, to)));
      }
    } catch (JacksonException e) {
      throw invalid("", String.valueOf(e.getMessage()));
    }
    return new Members(members);
  }

  private static ProblemException invalid(String pointer, String detail) {
    return Problem.of(ProblemType.BODY_INVALID, detail).with("pointer", pointer).asException();
  }

  public static <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw Problem.field("/" + name, "The member " + name + " is needed.");
    }
    return value;
  }

  public byte @Nullable [] bytes(String name) {
    Slice slice = members.get(name);
    return slice == null ? null : slice.bytes();
  }

  private @Nullable JsonNode value(String name) {
    Slice slice = members.get(name);
    return slice == null || slice.value().isNull() ? null : slice.value();
  }

  public @Nullable String text(String name) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isString()) {
      throw Problem.field("/" + name, "The member " + name + " is a string.");
    }
    return value.stringValue();
  }

  public @Nullable List<String> texts(String name) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isArray()) {
      throw Problem.field("/" + name, "The member " + name + " is an array of strings.");
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode item : value) {
      if (!item.isString()) {
        throw Problem.field("/" + name + "/" + texts.size(), "a string");
      }
      texts.add(item.stringValue());
    }
    return texts;
  }

  public @Nullable BigDecimal number(String name) {
    JsonNode value = value(name);
    if (value != null && !value.isNumber()) {
      throw Problem.field("/" + name, "The member " + name + " is a number.");
    }
    return value == null ? null : value.decimalValue();
  }

  /** A member that is a string or a number. */
  public sealed interface Scalar {}

  /** A string. */
  public record Text(String value) implements Scalar {}

  /** A number. */
  public record Decimal(BigDecimal value) implements Scalar {}

  /** A string or a number; null without the member. */
  public @Nullable Scalar textOrNumber(String name) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (value.isString()) {
      return new Text(value.stringValue());
    }
    if (value.isNumber()) {
      return new Decimal(value.decimalValue());
    }
    throw Problem.field("/" + name, "The member " + name + " is a string or a number.");
  }

  public <T> @Nullable T word(String name, T[] words, Function<T, String> spelling) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    for (T word : words) {
      if (spelling.apply(word).equals(text)) {
        return word;
      }
    }
    String all = Arrays.stream(words).map(spelling).collect(Collectors.joining(", "));
    throw Problem.field("/" + name, "The member " + name + " is one of " + all + ".");
  }
}
