package dev.onejob.qualification;

import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** The reading of answers: strictly where a check asks for it, and exactly everywhere. */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  /** What keeps a text from being one strict JSON value; empty if it is one. */
  public static Optional<JsonRefused> flaw(String text) {
    try {
      StrictJson.read(text.getBytes(StandardCharsets.UTF_8), JsonLimits.RESULT);
      return Optional.empty();
    } catch (JsonRefused e) {
      return Optional.of(e);
    }
  }

  /** The value; missing if the text is not strictly one. */
  public static JsonNode read(@Nullable String text) {
    if (text == null || flaw(text).isPresent()) {
      return MissingNode.getInstance();
    }
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException | NumberFormatException e) {
      return MissingNode.getInstance(); // beyond what a tree can hold: no check looks into it
    }
  }

  /** The value as text. */
  public static String text(JsonNode value) {
    return MAPPER.writeValueAsString(value);
  }
}
