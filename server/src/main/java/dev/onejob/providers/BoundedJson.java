package dev.onejob.providers;

import dev.onejob.domain.Limits;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON of strangers, read within {@link Limits} and with numbers kept exactly. */
public final class BoundedJson {
  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxNestingDepth(Limits.JSON_DEPTH_MAX)
          .maxNumberLength(Limits.JSON_NUMBER_CHARS_MAX)
          .maxStringLength(Limits.JSON_STRING_CHARS_MAX)
          .maxNameLength(Limits.JSON_STRING_CHARS_MAX)
          .build();
  private static final JsonFactory TOKENS =
      JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build();
  private static final JsonMapper TREES =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(CONSTRAINTS)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private BoundedJson() {}

  /**
   * Reads one value. A member that occurs twice in an object is refused: whoever looks into the
   * value could otherwise read another one than its sender meant.
   *
   * @throws StreamConstraintsException if a limit is passed
   * @throws JacksonException if it is not exactly one JSON value
   */
  public static JsonNode read(byte[] json) {
    JsonNode node = tree(json);
    if (node.isMissingNode()) {
      throw new EmptyText();
    }
    return node;
  }

  /** The exponent of a number may be beyond every representation, in text that is JSON. */
  private static JsonNode tree(byte[] json) {
    try {
      return TREES.readTree(json);
    } catch (NumberFormatException e) {
      throw new StreamConstraintsException("a number is beyond all bounds");
    }
  }

  /** The value as text. */
  public static String text(JsonNode value) {
    return TREES.writeValueAsString(value);
  }

  /** The value as UTF-8. */
  public static byte[] bytes(JsonNode value) {
    return TREES.writeValueAsBytes(value);
  }

  /**
   * Why some bytes are not one JSON value.
   *
   * @param says what is wrong, fit for a message
   */
  public record Flaw(Sort sort, String says) {
    /** Which of two things is wrong. */
    public enum Sort {
      /** It is no JSON, or more than one value. */
      MALFORMED,
      /** It may be JSON, but is nested deeper, or has longer parts, than {@link Limits} allow. */
      BEYOND_LIMITS
    }
  }

  /** What keeps these bytes from being one JSON value; empty if they are one. */
  public static Optional<Flaw> flaw(byte[] json) {
    try (JsonParser parser = TOKENS.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() == null) {
        return malformed("it is empty");
      }
      parser.skipChildren();
      parser.finishToken();
      return parser.nextToken() == null ? Optional.empty() : malformed("more follows the value");
    } catch (StreamConstraintsException e) {
      return Optional.of(new Flaw(Flaw.Sort.BEYOND_LIMITS, Quoted.message(e.getOriginalMessage())));
    } catch (JacksonException e) {
      return malformed(Quoted.message(e.getOriginalMessage()));
    }
  }

  private static Optional<Flaw> malformed(String says) {
    return Optional.of(new Flaw(Flaw.Sort.MALFORMED, says));
  }

  /** Whether bytes that have no {@link #flaw} are an object with a member of that name. */
  public static boolean hasMember(byte[] json, String name) {
    try (JsonParser parser = TOKENS.createParser(ObjectReadContext.empty(), json)) {
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
      while (isObject && parser.nextToken() == JsonToken.PROPERTY_NAME) {
        if (parser.currentName().equals(name)) {
          return true;
        }
        parser.nextToken();
        parser.skipChildren();
      }
      return false;
    }
  }

  private static final class EmptyText extends JacksonException {
    private static final long serialVersionUID = 1L;

    EmptyText() {
      super("it is empty");
    }
  }
}
