package dev.onejob.providers.openai;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.model.ApiKey;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.Prompt;
import dev.onejob.providers.model.SynchronousModel;
import dev.onejob.providers.model.UnusableInput;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the request for a job out of the settings and the job's input. */
final class ChatRequest implements SynchronousModel.Asking {
  private final URI target;
  private final Map<String, String> headers;
  private final ObjectNode frame;
  private final Body body;

  private ChatRequest(URI target, Map<String, String> headers, ObjectNode frame, Body body) {
    this.target = target;
    this.headers = headers;
    this.frame = frame;
    this.body = body;
  }

  /** What is made of an input. */
  private interface Body {
    ObjectNode of(byte[] input, ObjectNode frame) throws UnusableInput;
  }

  static ChatRequest of(ModelSettings settings, ChatSettings own, Optional<ApiKey> key) {
    ObjectNode frame = settings.frame();
    if (settings.streams()) {
      frame.put("stream", true);
      frame.withObjectProperty("stream_options").put("include_usage", true);
    }
    if (own.storesUnlessTold() && !frame.has("store")) {
      frame.put("store", false);
    }
    return new ChatRequest(
        settings.at(own.path()),
        key.map(known -> Map.of("Authorization", known.bearer())).orElse(Map.of()),
        frame,
        own.passesInputOn() ? ChatRequest::passedOn : filling(settings.turns()));
  }

  private static ObjectNode passedOn(byte[] input, ObjectNode frame) throws UnusableInput {
    return PassedOn.request(BoundedJson.read(input), frame);
  }

  private static Body filling(Prompt prompt) {
    return (input, frame) -> {
      ObjectNode body = frame.deepCopy();
      ArrayNode messages = body.putArray("messages");
      for (Prompt.Turn turn : prompt.fill(input)) {
        messages.addObject().put("role", turn.role()).put("content", turn.text());
      }
      return body;
    };
  }

  @Override
  public Post post(ProviderRequest request) throws UnusableInput {
    byte[] bytes = BoundedJson.bytes(body.of(request.input(), frame));
    return new Post(target, ModelSettings.withIds(headers, request), bytes);
  }
}
