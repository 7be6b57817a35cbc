package dev.onejob.providers.openai;

import dev.onejob.provider.Outcome;
import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class OpenAiChatStreamFailuresTest implements FailureTableContract {
  @Override
  public ProviderType type() {
    return new OpenAiChatType();
  }

  @Override
  public ObjectNode settings(URI address) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.put("base_url", address + "/v1").put("model", "m").put("prompt", "{{/q}}");
    return settings.put("stream", true);
  }

  @Override
  public String mediaType() {
    return "text/event-stream; charset=utf-8";
  }

  @Override
  public String good() {
    return String.join("", ChatStream.events());
  }

  @Override
  public List<String> cuts() {
    return ChatStream.cuts(ChatStream.events());
  }

  /** The end of a stream that is not read is never heard. */
  @Override
  public Class<? extends Outcome> oversize() {
    return Outcome.InDoubt.class;
  }
}
