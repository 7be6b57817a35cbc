package dev.onejob.intent;

import dev.onejob.intent.JsonRefused.Reason;
import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonBoolean;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import dev.onejob.intent.JsonValue.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) strictly: one value and nothing after it, no member twice, no unpaired
 * surrogate, no U+0000, valid UTF-8, everything bounded. Not recursive: depth costs no stack.
 *
 * <p>It is our own because the promise of the product hangs on it: two texts are the same intent
 * exactly if this reading of them is equal, and the input comes back byte for byte, which takes
 * exact places in the source.
 */
public final class StrictJson {
  /** How a reader treats what is legal JSON but no fit input. */
  enum Dialect {
    /** Members once, paired surrogates, no U+0000. */
    INPUT,
    /** What a provider may send: the last of equal members counts, any escape is kept. */
    RESULT
  }

  private final Tokens tokens;
  private final JsonLimits limits;
  private final Dialect dialect;
  private final Deque<OpenValue> open = new ArrayDeque<>();
  private boolean repaired;

  private StrictJson(byte[] utf8, JsonLimits limits, Dialect dialect) {
    this.tokens = new Tokens(utf8, limits, dialect, this::pointer);
    this.limits = limits;
    this.dialect = dialect;
  }

  /**
   * Reads one value.
   *
   * @throws JsonRefused if the bytes are not exactly one value within the limits
   */
  public static JsonValue read(byte[] utf8, JsonLimits limits) throws JsonRefused {
    return new StrictJson(checked(utf8, limits), limits, Dialect.INPUT).value();
  }

  /** A reading of a provider's result, and whether members were dropped from it. */
  record Reading(JsonValue value, boolean membersDropped) {}

  static Reading readResult(byte[] utf8, JsonLimits limits) throws JsonRefused {
    StrictJson reader = new StrictJson(checked(utf8, limits), limits, Dialect.RESULT);
    JsonValue value = reader.value();
    return new Reading(value, reader.repaired);
  }

  private static byte[] checked(byte[] utf8, JsonLimits limits) throws JsonRefused {
    if (utf8.length > limits.bytesMax()) {
      throw new JsonRefused(
          Reason.TOO_LARGE,
          "%d bytes, at most %d are taken".formatted(utf8.length, limits.bytesMax()),
          "",
          limits.bytesMax());
    }
    return utf8;
  }

  private JsonValue value() throws JsonRefused {
    JsonValue done = null;
    while (done == null) {
      done = step();
    }
    tokens.skipSpace();
    if (!tokens.atEnd()) {
      throw tokens.refused(Reason.MALFORMED, "more after the value");
    }
    return done;
  }

  /** Reads the next value or opening, and closes what closes with it; the whole, once it is. */
  private @Nullable JsonValue step() throws JsonRefused {
    tokens.skipSpace();
    int start = tokens.position();
    JsonValue complete =
        switch (tokens.peek()) {
          case '{' -> opened(new OpenValue.Of(start, OpenValue.Shape.OBJECT), '}');
          case '[' -> opened(new OpenValue.Of(start, OpenValue.Shape.ARRAY), ']');
          case '"' -> new JsonString(tokens.string(), start, tokens.position());
          case 't' -> literal("true", start);
          case 'f' -> literal("false", start);
          case 'n' -> literal("null", start);
          default -> new JsonNumber(tokens.number(), start, tokens.position());
        };
    return complete == null ? null : closing(complete);
  }

  private JsonValue literal(String word, int start) throws JsonRefused {
    tokens.expect(word);
    return word.equals("null")
        ? new JsonNull(start, tokens.position())
        : new JsonBoolean(word.equals("true"), start, tokens.position());
  }

  private @Nullable JsonValue opened(OpenValue.Of value, char end) throws JsonRefused {
    if (open.size() >= limits.depthMax()) {
      throw tokens.refused(Reason.TOO_DEEP, "nested deeper than " + limits.depthMax() + " levels");
    }
    tokens.take();
    tokens.skipSpace();
    if (tokens.peek() == end) {
      tokens.take();
      return value.shape() == OpenValue.Shape.OBJECT
          ? new JsonObject(List.of(), value.start(), tokens.position())
          : new JsonArray(List.of(), value.start(), tokens.position());
    }
    OpenValue opened = new OpenValue(value);
    open.push(opened);
    if (value.shape() == OpenValue.Shape.OBJECT) {
      name(opened);
    }
    return null;
  }

  private void name(OpenValue object) throws JsonRefused {
    tokens.skipSpace();
    if (tokens.peek() != '"') {
      throw tokens.refused(Reason.MALFORMED, "a member name in quotes was expected");
    }
    int at = tokens.position();
    object.name = null; // until it is read, a refusal is about the object
    String name = tokens.string();
    object.name = name;
    if (object.members.remove(name) != null) {
      if (dialect == Dialect.INPUT) {
        throw new JsonRefused(
            Reason.DUPLICATE_MEMBER, "the same member a second time", pointer(), at);
      }
      repaired = true; // the last of equal members counts
    }
    tokens.skipSpace();
    tokens.expect(":");
  }

  /** Puts a complete value into what is open, and closes what it closes. */
  private @Nullable JsonValue closing(JsonValue complete) throws JsonRefused {
    JsonValue value = complete;
    while (!open.isEmpty()) {
      OpenValue into = open.peek();
      into.add(value);
      tokens.skipSpace();
      if (tokens.peek() == ',') {
        tokens.take();
        if (into.of.shape() == OpenValue.Shape.OBJECT) {
          name(into);
        }
        return null;
      }
      tokens.expect(into.of.shape() == OpenValue.Shape.OBJECT ? "}" : "]");
      value = into.closed(tokens.position());
      open.pop();
    }
    return value;
  }

  private String pointer() {
    Place place = new Place();
    open.descendingIterator().forEachRemaining(value -> value.stepInto(place));
    return place.pointer();
  }

  /** An object or array whose end has not come. */
  private static final class OpenValue {
    enum Shape {
      OBJECT,
      ARRAY
    }

    record Of(int start, Shape shape) {}

    final Of of;
    final Map<String, JsonValue> members = new LinkedHashMap<>();
    final List<JsonValue> elements = new ArrayList<>();
    @Nullable String name;

    OpenValue(Of of) {
      this.of = of;
    }

    void add(JsonValue value) {
      if (of.shape() == Shape.OBJECT) {
        members.put(Objects.requireNonNull(name), value);
      } else {
        elements.add(value);
      }
    }

    JsonValue closed(int end) {
      return of.shape() == Shape.OBJECT
          ? new JsonObject(listed(), of.start(), end)
          : new JsonArray(elements, of.start(), end);
    }

    private List<Member> listed() {
      return members.entrySet().stream().map(m -> new Member(m.getKey(), m.getValue())).toList();
    }

    void stepInto(Place place) {
      String step = of.shape() == Shape.OBJECT ? name : Integer.toString(elements.size());
      if (step != null) {
        place.into(step);
      }
    }
  }
}
