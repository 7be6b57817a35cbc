package dev.onejob.server.http.request;

import dev.onejob.domain.Limits;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.JsonValue;
import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonBoolean;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import dev.onejob.intent.JsonValue.Member;
import dev.onejob.intent.StrictJson;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemException;
import dev.onejob.server.http.problem.ProblemType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The members of a body that is a JSON object. A member that is null counts as absent. */
public final class Members {
  /** One level deeper than an input or a result may be: they are members of the body. */
  private static final JsonLimits LIMITS =
      new JsonLimits(
          Limits.BODY_BYTES_MAX,
          Limits.JSON_DEPTH_MAX + 1,
          Limits.JSON_NUMBER_CHARS_MAX,
          Limits.JSON_STRING_CHARS_MAX);

  private final byte[] body;
  private final JsonObject object;

  private Members(byte[] body, JsonObject object) {
    this.body = body;
    this.object = object;
  }

  /**
   * Reads a body.
   *
   * @throws ProblemException if it is not strict JSON, not an object, or has a member that is not
   *     known
   */
  public static Members read(byte[] body, Set<String> known) {
    if (body.length == 0) {
      throw invalid("The body is missing; it is a JSON object.", "", 0);
    }
    if (!(strict(body) instanceof JsonObject object)) {
      throw invalid("The body is a JSON object, nothing else.", "", 0);
    }
    for (Member member : object.members()) {
      if (!known.contains(member.name())) {
        throw invalid(
            known.isEmpty()
                ? "This body has no members."
                : "The body has no such member; it knows " + sorted(known) + ".",
            "/" + member.name().replace("~", "~0").replace("/", "~1"),
            member.value().start());
      }
    }
    return new Members(body, object);
  }

  private static JsonValue strict(byte[] body) {
    try {
      return StrictJson.read(body, LIMITS);
    } catch (JsonRefused e) {
      throw Problem.of(ProblemType.BODY_INVALID, "The body is refused: " + e.getMessage() + ".")
          .with("pointer", e.pointer())
          .with("offset", e.offset())
          .with("reason", e.reason().name().toLowerCase(Locale.ROOT))
          .asException();
    }
  }

  private static ProblemException invalid(String detail, String pointer, int offset) {
    return Problem.of(ProblemType.BODY_INVALID, detail)
        .with("pointer", pointer)
        .with("offset", offset)
        .asException();
  }

  private static String sorted(Set<String> names) {
    return String.join(", ", names.stream().sorted().toList());
  }

  /** The value of a member that must be there. */
  public static <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw Problem.field("/" + name, "The member " + name + " is needed.");
    }
    return value;
  }

  private @Nullable JsonValue value(String name) {
    JsonValue value = object.member(name).orElse(null);
    return value instanceof JsonNull ? null : value;
  }

  /** A value of any kind, byte for byte as it was sent; null only without the member. */
  public byte @Nullable [] bytes(String name) {
    JsonValue value = object.member(name).orElse(null);
    return value == null ? null : Arrays.copyOfRange(body, value.start(), value.end());
  }

  /** A string. */
  public @Nullable String text(String name) {
    JsonValue value = value(name);
    return value == null ? null : text(value, "/" + name);
  }

  private static String text(JsonValue value, String pointer) {
    if (value instanceof JsonString string) {
      return string.text();
    }
    throw Problem.field(pointer, "This is a string.");
  }

  /** An array of strings. */
  public @Nullable List<String> texts(String name) {
    JsonValue value = value(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof JsonArray array)) {
      throw Problem.field("/" + name, "This is an array of strings.");
    }
    List<String> texts = new ArrayList<>();
    for (JsonValue element : array.elements()) {
      texts.add(text(element, "/" + name + "/" + texts.size()));
    }
    return texts;
  }

  /** Whether the member is there; a null counts only where any JSON value may be. */
  public boolean has(String name) {
    return name.equals("result") ? bytes(name) != null : value(name) != null;
  }

  /** A truth; false without the member. */
  public boolean truth(String name) {
    return switch (value(name)) {
      case JsonBoolean it -> it.value();
      case null -> false;
      default -> throw Problem.field("/" + name, "This is true or false.");
    };
  }

  /** A number. */
  public @Nullable BigDecimal number(String name) {
    return switch (textOrNumber(name)) {
      case Decimal number -> number.value();
      case Text text -> throw Problem.field("/" + name, "This is a number.");
      case null -> null;
    };
  }

  /** A string or a number. */
  public sealed interface Scalar {}

  /** A string. */
  public record Text(String value) implements Scalar {}

  /** A number. */
  public record Decimal(BigDecimal value) implements Scalar {}

  /** A string or a number. */
  public @Nullable Scalar textOrNumber(String name) {
    JsonValue value = value(name);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonString string) {
      return new Text(string.text());
    }
    if (value instanceof JsonNumber number) {
      return new Decimal(decimal(number, "/" + name));
    }
    throw Problem.field("/" + name, "This is a string or a number.");
  }

  /** The exponent of a number may be beyond every representation. */
  private static BigDecimal decimal(JsonNumber number, String pointer) {
    try {
      return new BigDecimal(number.text());
    } catch (NumberFormatException e) {
      throw Problem.field(pointer, "This number is beyond all bounds.");
    }
  }

  /** One of a few words. */
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
    throw Problem.field("/" + name, "This is one of " + all + ".");
  }
}
