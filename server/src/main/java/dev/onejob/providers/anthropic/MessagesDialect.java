package dev.onejob.providers.anthropic;

import dev.onejob.providers.model.Dialect;
import dev.onejob.providers.model.Gathering;
import dev.onejob.providers.model.Spoken;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Messages: blocks of content, a reason to stop, and the tokens used. */
final class MessagesDialect implements Dialect {
  @Override
  public Spoken spoken(JsonNode document) throws Unrecognised {
    if (!begun(document)) {
      throw new Unrecognised("200 without a message in it");
    }
    String stop = Spoken.string(document.path("stop_reason"));
    return new Spoken(
        text(document.path("content")),
        stop,
        declined(stop, document.path("stop_details")),
        Spoken.string(document.path("model")),
        null,
        document.path("usage"));
  }

  /** The model's own reason comes with the stop, not in the content. */
  private static @Nullable String declined(@Nullable String stop, JsonNode details) {
    if (!"refusal".equals(stop)) {
      return null;
    }
    String why = Spoken.string(details.path("explanation"));
    String category = Spoken.string(details.path("category"));
    return why != null ? why : category != null ? category : stop;
  }

  @Override
  public boolean begun(JsonNode document) {
    return document.path("content").isArray();
  }

  @Override
  public Gathering gathering() {
    return new MessageGathering();
  }

  @Override
  public @Nullable String endMark() {
    return null;
  }

  /** The text blocks, joined; thinking, calls of tools and the like are not what was said. */
  private static @Nullable String text(JsonNode content) {
    StringBuilder text = new StringBuilder();
    boolean found = false;
    for (JsonNode block : content) {
      JsonNode piece = block.path("text");
      if (block.path("type").asString("").equals("text") && piece.isString()) {
        text.append(piece.stringValue());
        found = true;
      }
    }
    return found ? text.toString() : null;
  }
}
