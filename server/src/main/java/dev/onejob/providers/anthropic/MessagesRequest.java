package dev.onejob.providers.anthropic;

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
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes the request for a job out of the settings and the job's input. */
final class MessagesRequest implements SynchronousModel.Asking {
  private final URI target;
  private final Map<String, String> headers;
  private final ObjectNode frame;
  private final Prompt prompt;

  private MessagesRequest(
      URI target, Map<String, String> headers, ObjectNode frame, Prompt prompt) {
    this.target = target;
    this.headers = headers;
    this.frame = frame;
    this.prompt = prompt;
  }

  static MessagesRequest of(ModelSettings settings, Optional<ApiKey> key, String version) {
    Map<String, String> headers = new TreeMap<>();
    headers.put("anthropic-version", version);
    key.ifPresent(known -> headers.put("x-api-key", known.plain()));
    ObjectNode frame = settings.frame();
    if (settings.streams()) {
      frame.put("stream", true);
    }
    return new MessagesRequest(settings.at("/messages"), headers, frame, settings.turns());
  }

  /** Turns of the system stand in a member of their own, and are one text. */
  @Override
  public Post post(ProviderRequest request) throws MissingPart {
    ObjectNode body = frame.deepCopy();
    ArrayNode messages = body.putArray("messages");
    StringBuilder system = new StringBuilder();
    for (Prompt.Turn turn : prompt.fill(request.input())) {
      if (turn.role().equals("system")) {
        system.append(system.isEmpty() ? "" : "\n\n").append(turn.text());
      } else {
        messages.addObject().put("role", turn.role()).put("content", turn.text());
      }
    }
    if (!system.isEmpty()) {
      body.put("system", system.toString());
    }
    return new Post(target, ModelSettings.withIds(headers, request), BoundedJson.bytes(body));
  }
}
