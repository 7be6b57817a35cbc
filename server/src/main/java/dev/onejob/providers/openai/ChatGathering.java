package dev.onejob.providers.openai;

import dev.onejob.providers.http.EventSink.Heard;
import dev.onejob.providers.model.Dialect.Unrecognised;
import dev.onejob.providers.model.Gathering;
import dev.onejob.providers.model.Spoken;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A completion out of its chunks. */
final class ChatGathering implements Gathering {
  private final ObjectNode document = JsonNodeFactory.instance.objectNode();
  private final StringBuilder content = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private boolean hasContent;
  private @Nullable String finish;

  @Override
  public Heard take(JsonNode chunk) throws Unrecognised {
    JsonNode choices = chunk.path("choices");
    if (!choices.isArray()) {
      throw new Unrecognised("a chunk without choices in the stream");
    }
    keep(chunk, "model");
    keep(chunk, "system_fingerprint");
    if (chunk.path("usage").isObject()) {
      document.set("usage", chunk.path("usage"));
    }
    for (JsonNode choice : choices) {
      if (choice.path("index").asInt(0) != 0) {
        throw new Unrecognised("a second choice in the stream, which was not asked for");
      }
      choice(choice);
    }
    return Heard.MORE;
  }

  private void keep(JsonNode chunk, String name) {
    String value = Spoken.string(chunk.path(name));
    if (value != null) {
      document.put(name, value);
    }
  }

  private void choice(JsonNode choice) throws Unrecognised {
    JsonNode delta = choice.path("delta");
    String piece = ChatDialect.text(delta.path("content"));
    if (piece != null) {
      hasContent = true;
      content.append(piece);
    }
    refusal.append(delta.path("refusal").asString(""));
    String reason = Spoken.string(choice.path("finish_reason"));
    if (reason != null && finish != null && !finish.equals(reason)) {
      throw new Unrecognised("two reasons to finish in one stream");
    }
    finish = reason == null ? finish : reason;
  }

  @Override
  public int chars() {
    return content.length() + refusal.length();
  }

  @Override
  public void drop() {
    content.setLength(0);
    refusal.setLength(0);
  }

  @Override
  public JsonNode document() throws Unrecognised {
    if (finish == null) {
      throw new Unrecognised("the stream ended without a reason to finish");
    }
    ObjectNode choice = document.putArray("choices").addObject();
    choice.put("finish_reason", finish);
    ObjectNode message = choice.putObject("message");
    if (hasContent) {
      message.put("content", content.toString());
    }
    if (!refusal.isEmpty()) {
      message.put("refusal", refusal.toString());
    }
    return document;
  }
}
