package dev.onejob.providers.openai;

import dev.onejob.provider.ProviderRequest;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.Twisting.NotShownNow;
import dev.onejob.providers.Twisting.Rendered;
import dev.onejob.providers.http.OnePost;
import dev.onejob.providers.http.Post;
import dev.onejob.providers.http.Reply;
import dev.onejob.providers.http.Unwatched;
import dev.onejob.providers.model.ApiKey;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.UnusableInput;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks a server of one's own how it renders a prompt: in the way of llama.cpp ({@code
 * /apply-template}, {@code /tokenize}, {@code /detokenize}), else in that of vLLM ({@code
 * /tokenize} of messages).
 */
final class PromptRendering {
  private static final int OK = 200;

  /** Not found, method not allowed, not implemented: only these say that it is not shown. */
  private static final Set<Integer> NO_SUCH_ENDPOINT = Set.of(404, 405, 501);

  private static final Duration PATIENCE_MAX = Duration.ofSeconds(30);

  private final URI root;
  private final Map<String, String> headers;
  private final JsonNode request;
  private final Duration patience;

  PromptRendering(
      ModelSettings settings, ChatSettings own, Optional<ApiKey> key, ProviderRequest request) {
    this.root = root(settings);
    this.headers = key.map(known -> Map.of("Authorization", known.bearer())).orElse(Map.of());
    this.request = filled(settings, own, key, request);
    this.patience =
        request.timeout().compareTo(PATIENCE_MAX) < 0 ? request.timeout() : PATIENCE_MAX;
  }

  /** These endpoints stand beside {@code /v1}. */
  private static URI root(ModelSettings settings) {
    return URI.create(settings.baseUrl().replaceAll("/+$", "").replaceAll("/v1$", ""));
  }

  private static JsonNode filled(
      ModelSettings settings, ChatSettings own, Optional<ApiKey> key, ProviderRequest request) {
    try {
      return BoundedJson.read(ChatRequest.of(settings, own, key).post(request).body());
    } catch (UnusableInput e) {
      return JsonNodeFactory.instance.objectNode(); // a call would be refused: nothing to render
    }
  }

  Optional<Rendered> rendered() throws InterruptedException {
    if (!request.path("messages").isArray()) {
      return Optional.empty();
    }
    ObjectNode messages = JsonNodeFactory.instance.objectNode();
    messages.set("messages", request.path("messages"));
    JsonNode template = answer("/apply-template", messages);
    JsonNode prompt = template == null ? null : template.path("prompt");
    return prompt != null && prompt.isString()
        ? tokens(prompt.stringValue())
        : tokensOfMessages(messages);
  }

  private Optional<Rendered> tokens(String prompt) throws InterruptedException {
    ObjectNode ask = JsonNodeFactory.instance.objectNode();
    ask.put("content", prompt)
        .put("add_special", true)
        .put("parse_special", true)
        .put("with_pieces", true);
    JsonNode answer = answer("/tokenize", ask);
    JsonNode tokens = answer == null ? null : answer.path("tokens");
    if (tokens == null || !tokens.isArray()) {
      return Optional.empty();
    }
    List<String> pieces = new ArrayList<>();
    ObjectNode back = JsonNodeFactory.instance.objectNode();
    for (JsonNode token : tokens) {
      pieces.add(token.path("piece").asString(""));
      back.withArrayProperty("tokens").add(token.isObject() ? token.path("id") : token);
    }
    return Optional.of(
        new Rendered(prompt, pieces, tokens.size(), text(answer("/detokenize", back), "content")));
  }

  private Optional<Rendered> tokensOfMessages(ObjectNode messages) throws InterruptedException {
    ObjectNode ask = messages.deepCopy();
    ask.set("model", request.path("model"));
    ask.put("add_generation_prompt", true);
    JsonNode answer = answer("/tokenize", ask);
    JsonNode tokens = answer == null ? null : answer.path("tokens");
    if (tokens == null || !tokens.isArray()) {
      return Optional.empty();
    }
    ObjectNode back = JsonNodeFactory.instance.objectNode();
    back.set("model", request.path("model"));
    back.set("tokens", tokens);
    String prompt = text(answer("/detokenize", back), "prompt");
    return prompt == null
        ? Optional.empty()
        : Optional.of(new Rendered(prompt, List.of(), tokens.size(), null));
  }

  private static @Nullable String text(@Nullable JsonNode answer, String member) {
    JsonNode value = answer == null ? null : answer.path(member);
    return value != null && value.isString() ? value.stringValue() : null;
  }

  /** Null if the server has no such endpoint; whatever else is no answer may be one later. */
  private @Nullable JsonNode answer(String path, JsonNode body) throws InterruptedException {
    Post post = new Post(URI.create(root + path), headers, BoundedJson.bytes(body));
    if (!(OnePost.send(post, patience, Unwatched.QUESTION, head -> {})
        instanceof Reply.Answer answer)) {
      throw new NotShownNow("no answer came from " + path);
    }
    int status = answer.head().status();
    if (NO_SUCH_ENDPOINT.contains(status)) {
      return null;
    }
    if (status != OK) {
      throw new NotShownNow(path + " answered with status " + status);
    }
    try {
      return BoundedJson.read(answer.body());
    } catch (JacksonException e) {
      throw new NotShownNow(path + " answered what is no JSON");
    }
  }
}
