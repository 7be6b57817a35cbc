package dev.onejob.providers.model;

import dev.onejob.provider.Finish;
import dev.onejob.provider.Said;
import dev.onejob.providers.BoundedJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a model said in an answer whose form was understood; whether it is a result is another
 * question.
 *
 * @param text null: there is none
 * @param finish why it stopped, in the provider's own word; null if none is said
 * @param refusal where the protocol has a place of its own for one
 * @param model who answers
 * @param usage the provider's own figures; a missing node where it says none
 */
public record Spoken(
    @Nullable String text,
    @Nullable String finish,
    @Nullable String refusal,
    @Nullable String model,
    @Nullable String fingerprint,
    JsonNode usage) {

  /** Why it stopped, in the one vocabulary. */
  Finish ending() {
    return finish == null ? Finish.UNKNOWN : Finish.of(finish);
  }

  /** For whoever wants to judge it himself. */
  public Said said() {
    return new Said(
        text,
        finish,
        model,
        fingerprint,
        refusal,
        usage.isObject() ? BoundedJson.text(usage) : null);
  }

  /** A member that is a text with something in it; null for anything else. */
  public static @Nullable String string(JsonNode value) {
    return value.isString() && !value.stringValue().isEmpty() ? value.stringValue() : null;
  }
}
