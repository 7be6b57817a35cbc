package dev.onejob.providers.openai;

import dev.onejob.provider.Said;
import dev.onejob.providers.BoundedJson;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The model's own words in a completion. */
final class Words {
  private Words() {}

  /** Empty if it is no completion. */
  static Optional<Said> of(byte[] body) {
    JsonNode document;
    try {
      document = BoundedJson.read(body);
    } catch (JacksonException e) {
      return Optional.empty(); // the reading of the answer says what is wrong with it
    }
    JsonNode choice = document.path("choices").path(0);
    if (!choice.isObject()) {
      return Optional.empty();
    }
    JsonNode message = choice.path("message");
    JsonNode usage = document.path("usage");
    return Optional.of(
        new Said(
            Completion.text(message.path("content")),
            string(choice.path("finish_reason")),
            string(document.path("model")),
            string(document.path("system_fingerprint")),
            string(message.path("refusal")),
            usage.isObject() ? BoundedJson.text(usage) : null));
  }

  private static @Nullable String string(JsonNode value) {
    return value.isString() && !value.stringValue().isEmpty() ? value.stringValue() : null;
  }
}
