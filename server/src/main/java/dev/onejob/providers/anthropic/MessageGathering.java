package dev.onejob.providers.anthropic;

import dev.onejob.providers.http.EventSink.Heard;
import dev.onejob.providers.model.Dialect.Unrecognised;
import dev.onejob.providers.model.Gathering;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message out of its events. Events of kinds that are not known are passed over, as the protocol
 * asks for: it announces that there will be more.
 */
final class MessageGathering implements Gathering {
  private final StringBuilder text = new StringBuilder();
  private boolean hasText;
  private @Nullable ObjectNode message;

  @Override
  public Heard take(JsonNode event) throws Unrecognised {
    switch (event.path("type").asString("")) {
      case "message_start" -> start(event.path("message"));
      case "content_block_start" -> piece(event.path("content_block"), "text");
      case "content_block_delta" -> piece(event.path("delta"), "text_delta");
      case "message_delta" -> delta(event);
      case "message_stop" -> {
        return Heard.END;
      }
      case "" -> throw new Unrecognised("an event without a type in the stream");
      default -> {}
    }
    return Heard.MORE;
  }

  private void start(JsonNode started) throws Unrecognised {
    if (message != null || !started.isObject()) {
      throw new Unrecognised("a message begins twice, or is none");
    }
    message = ((ObjectNode) started).deepCopy();
  }

  private ObjectNode started() throws Unrecognised {
    if (message == null) {
      throw new Unrecognised("a message goes on that has not begun");
    }
    return message;
  }

  private void piece(JsonNode part, String type) throws Unrecognised {
    started();
    if (part.path("type").asString("").equals(type)) {
      hasText = true;
      text.append(part.path("text").asString(""));
    }
  }

  /** Says why it stopped, and the tokens used so far, which go before those of the beginning. */
  private void delta(JsonNode event) throws Unrecognised {
    ObjectNode all = started();
    event.path("delta").properties().forEach(e -> all.set(e.getKey(), e.getValue()));
    if (event.path("usage").isObject()) {
      ObjectNode usage = all.withObjectProperty("usage");
      event.path("usage").properties().forEach(e -> usage.set(e.getKey(), e.getValue()));
    }
  }

  @Override
  public int chars() {
    return text.length();
  }

  @Override
  public void drop() {
    text.setLength(0);
  }

  @Override
  public JsonNode document() throws Unrecognised {
    ObjectNode all = started();
    if (!all.path("stop_reason").isString()) {
      throw new Unrecognised("the stream ended without a reason to stop");
    }
    ArrayNode content = JsonNodeFactory.instance.arrayNode();
    if (hasText) {
      content.addObject().put("type", "text").put("text", text.toString());
    }
    all.set("content", content);
    return all;
  }
}
