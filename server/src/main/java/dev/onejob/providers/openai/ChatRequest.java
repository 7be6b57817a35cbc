package dev.onejob.providers.openai;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.model.ApiKey;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.Prompt;
import dev.onejob.providers.model.SynchronousModel;
import dev.onejob.providers.model.Template.MissingPart;
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
  private final Prompt prompt;

  private ChatRequest(URI target, Map<String, String> headers, ObjectNode frame, Prompt prompt) {
    this.target = target;
    this.headers = headers;
    this.frame = frame;
    this.prompt = prompt;
  }

  static ChatRequest of(ModelSettings settings, Optional<ApiKey> key) {
    ObjectNode frame = settings.frame();
    if (settings.streams()) {
      frame.put("stream", true);
      frame.withObjectProperty("stream_options").put("include_usage", true);
    }
    return new ChatRequest(
        settings.at("/chat/completions"),
        key.map(known -> Map.of("Authorization", known.bearer())).orElse(Map.of()),
        frame,
        settings.turns());
  }

  @Override
  public Post post(ProviderRequest request) throws MissingPart {
    ObjectNode body = frame.deepCopy();
    ArrayNode messages = body.putArray("messages");
    for (Prompt.Turn turn : prompt.fill(request.input())) {
      messages.addObject().put("role", turn.role()).put("content", turn.text());
    }
    return new Post(target, ModelSettings.withIds(headers, request), BoundedJson.bytes(body));
  }
}
