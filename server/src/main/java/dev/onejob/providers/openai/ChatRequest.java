package dev.onejob.providers.openai;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.http.Address;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.openai.Template.MissingPart;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes the request for a job out of the settings and the job's input. */
final class ChatRequest {
  private final URI target;
  private final Map<String, String> headers;
  private final ObjectNode frame;
  private final List<Message> messages;
  private final boolean passesInputOn;

  private ChatRequest(
      URI target,
      Map<String, String> headers,
      ObjectNode frame,
      List<Message> messages,
      boolean passesInputOn) {
    this.target = target;
    this.headers = headers;
    this.frame = frame;
    this.messages = messages;
    this.passesInputOn = passesInputOn;
  }

  private record Message(String role, Template content) {}

  static ChatRequest of(ChatSettings settings, Optional<ApiKey> key) {
    String base = Address.of(settings.baseUrl(), "/base_url").toString().replaceAll("/+$", "");
    ObjectNode frame = JsonNodeFactory.instance.objectNode();
    if (settings.parameters() != null) {
      frame.setAll(settings.parameters());
    }
    frame.put("model", settings.model());
    return new ChatRequest(
        URI.create(base + settings.path()),
        key.map(known -> Map.of("Authorization", known.bearer())).orElse(Map.of()),
        frame,
        messages(settings),
        settings.passesInputOn());
  }

  private static List<Message> messages(ChatSettings settings) {
    List<Message> messages = new ArrayList<>();
    if (settings.system() != null) {
      messages.add(new Message("system", Template.of(settings.system(), "/system")));
    }
    if (settings.prompt() != null) {
      messages.add(new Message("user", Template.of(settings.prompt(), "/prompt")));
    }
    if (settings.messages() != null) {
      for (ChatSettings.Message message : settings.messages()) {
        String place = "/messages/" + settings.messages().indexOf(message) + "/content";
        messages.add(new Message(message.role(), Template.of(message.content(), place)));
      }
    }
    return List.copyOf(messages);
  }

  /** Fills the templates, or passes the input on. */
  Post fill(ProviderRequest request) throws MissingPart, PassedOn.Unfit {
    JsonNode input = BoundedJson.read(request.input());
    if (passesInputOn) {
      return new Post(
          target, allHeaders(request), BoundedJson.bytes(PassedOn.request(input, frame)));
    }
    ObjectNode body = frame.deepCopy();
    ArrayNode filled = body.putArray("messages");
    for (Message message : messages) {
      filled.addObject().put("role", message.role()).put("content", message.content().fill(input));
    }
    return new Post(target, allHeaders(request), BoundedJson.bytes(body));
  }

  private Map<String, String> allHeaders(ProviderRequest request) {
    Map<String, String> all = new TreeMap<>(headers);
    all.put("Idempotency-Key", request.providerKey());
    all.put("X-Client-Request-Id", request.attemptId().toString());
    all.put("Onejob-Job-Id", request.jobId().toString());
    all.put("Onejob-Attempt-Id", request.attemptId().toString());
    return all;
  }
}
