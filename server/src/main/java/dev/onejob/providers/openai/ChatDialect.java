package dev.onejob.providers.openai;

import dev.onejob.providers.model.Dialect;
import dev.onejob.providers.model.Gathering;
import dev.onejob.providers.model.Spoken;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Chat completions. Only the first choice counts; no more is asked for. */
final class ChatDialect implements Dialect {
  @Override
  public Spoken spoken(JsonNode document) throws Unrecognised {
    if (!begun(document)) {
      throw new Unrecognised("200 without a choice in it");
    }
    JsonNode choice = document.path("choices").path(0);
    JsonNode message = choice.path("message");
    return new Spoken(
        text(message.path("content")),
        Spoken.string(choice.path("finish_reason")),
        Spoken.string(message.path("refusal")),
        Spoken.string(document.path("model")),
        Spoken.string(document.path("system_fingerprint")),
        document.path("usage"));
  }

  @Override
  public boolean begun(JsonNode document) {
    return !document.path("choices").path(0).isMissingNode();
  }

  @Override
  public Gathering gathering() {
    return new ChatGathering();
  }

  @Override
  public String endMark() {
    return "[DONE]";
  }

  /** The content, which some endpoints send in parts. */
  static @Nullable String text(JsonNode content) {
    if (content.isString()) {
      return content.stringValue();
    }
    StringBuilder text = new StringBuilder();
    boolean found = false;
    for (JsonNode part : content) {
      JsonNode piece = part.path("text");
      if (part.path("type").asString("").equals("text") && piece.isString()) {
        text.append(piece.stringValue());
        found = true;
      }
    }
    return found ? text.toString() : null;
  }
}
