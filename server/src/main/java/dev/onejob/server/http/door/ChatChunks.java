package dev.onejob.server.http.door;

import dev.onejob.providers.BoundedJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A chat completion, told as the events of a stream. */
public final class ChatChunks {
  private static final List<String> OF_EVERY_CHUNK =
      List.of("id", "created", "model", "system_fingerprint", "service_tier");
  private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8);

  private final JsonNode completion;
  private final boolean tellsUsage;
  private final List<byte[]> events = new ArrayList<>();

  private ChatChunks(JsonNode completion, boolean tellsUsage) {
    this.completion = completion;
    this.tellsUsage = tellsUsage;
  }

  /**
   * The events, the end signal last. Whatever the message has is told, also members that no
   * reference knows.
   *
   * @return empty if this is no chat completion
   */
  public static Optional<List<byte[]>> of(byte[] completion, DoorRequest.Form form) {
    JsonNode read;
    try {
      read = BoundedJson.read(completion);
    } catch (JacksonException e) {
      return Optional.empty();
    }
    JsonNode choices = read.path("choices");
    boolean whole = !choices.isEmpty() && choices.valueStream().allMatch(ChatChunks::hasMessage);
    return choices.isArray() && whole
        ? Optional.of(new ChatChunks(read, form == DoorRequest.Form.STREAM_WITH_USAGE).told())
        : Optional.empty();
  }

  private static boolean hasMessage(JsonNode choice) {
    return choice.path("message").isObject();
  }

  private List<byte[]> told() {
    int place = 0;
    for (JsonNode choice : completion.path("choices")) {
      tell(choice, place);
      place++;
    }
    if (tellsUsage) {
      ObjectNode chunk = chunk();
      chunk.putArray("choices");
      JsonNode usage = completion.path("usage");
      chunk.set("usage", usage.isMissingNode() ? chunk.nullNode() : usage);
      events.add(event(chunk));
    }
    events.add(DONE);
    return events;
  }

  private void tell(JsonNode choice, int place) {
    JsonNode index = choice.has("index") ? choice.path("index") : null;
    ObjectNode message = (ObjectNode) choice.path("message").deepCopy();
    JsonNode role = message.remove("role");

    ObjectNode first = delta(index, place);
    ObjectNode opening = (ObjectNode) first.at("/choices/0/delta");
    opening.put("role", role == null ? "assistant" : role.asString("assistant"));
    opening.put("content", "");
    events.add(event(first));

    numbered(message.path("tool_calls"));
    ObjectNode said = delta(index, place);
    ObjectNode saying = (ObjectNode) said.at("/choices/0");
    saying.set("delta", message);
    if (choice.has("logprobs")) {
      saying.set("logprobs", choice.path("logprobs"));
    }
    events.add(event(said));

    ObjectNode last = delta(index, place);
    if (choice.has("finish_reason")) {
      ((ObjectNode) last.at("/choices/0")).set("finish_reason", choice.path("finish_reason"));
    }
    events.add(event(last));
  }

  /** In a stream every call of a tool says which of them it is. */
  private static void numbered(JsonNode calls) {
    int place = 0;
    for (JsonNode call : calls) {
      if (call instanceof ObjectNode object) {
        object.put("index", place);
      }
      place++;
    }
  }

  private ObjectNode delta(@Nullable JsonNode index, int place) {
    ObjectNode chunk = chunk();
    ArrayNode choices = chunk.putArray("choices");
    ObjectNode choice = choices.addObject();
    if (index == null) {
      choice.put("index", place);
    } else {
      choice.set("index", index);
    }
    choice.putObject("delta");
    choice.putNull("finish_reason");
    if (tellsUsage) {
      chunk.putNull("usage");
    }
    return chunk;
  }

  private ObjectNode chunk() {
    ObjectNode chunk = ((ObjectNode) completion).objectNode();
    chunk.put("object", "chat.completion.chunk");
    for (String name : OF_EVERY_CHUNK) {
      if (completion.has(name)) {
        chunk.set(name, completion.path(name));
      }
    }
    return chunk;
  }

  /** JSON has no line breaks of its own when it is written in one line. */
  private static byte[] event(JsonNode value) {
    return ("data: " + BoundedJson.text(value) + "\n\n").getBytes(StandardCharsets.UTF_8);
  }
}
