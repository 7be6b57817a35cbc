package dev.onejob.providers.httpasync;

import dev.onejob.domain.Limits;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.InvalidSetting;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Looks into what a provider sends. */
final class Places {
  private static final Pattern ID = Pattern.compile("[\\x21-\\x7e]+");

  private Places() {}

  /** A pointer from the settings; null stays null. */
  static @Nullable JsonPointer pointer(@Nullable String text, String setting) {
    try {
      return text == null ? null : JsonPointer.compile(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting(setting, "expected a JSON pointer, such as /output");
    }
  }

  /** A string there; empty if there is none. */
  static Optional<String> text(JsonNode document, @Nullable JsonPointer at) {
    JsonNode value = at == null ? null : document.at(at);
    return value != null && value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  /**
   * An id of the work there: a string or a whole number. Empty if there is none that can be kept
   * whole and put into an address; a path of dots would be another path.
   */
  static Optional<String> id(JsonNode document, @Nullable JsonPointer at) {
    JsonNode value = at == null ? null : document.at(at);
    if (value == null) {
      return Optional.empty();
    }
    String id = value.isIntegralNumber() ? BoundedJson.text(value) : text(document, at).orElse("");
    boolean usable =
        ID.matcher(id).matches()
            && id.length() <= Limits.PROVIDER_REF_CHARS_MAX
            && !id.equals(".")
            && !id.equals("..");
    return usable ? Optional.of(id) : Optional.empty();
  }

  /** What is there, as text; empty if nothing is, or null. */
  static Optional<String> anything(JsonNode document, @Nullable JsonPointer at) {
    JsonNode value = at == null ? null : document.at(at);
    if (value == null || value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    return Optional.of(value.isString() ? value.stringValue() : BoundedJson.text(value));
  }
}
