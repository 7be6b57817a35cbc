package dev.onejob.providers.openai;

import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class OpenAiChatFailuresTest implements FailureTableContract {
  @Override
  public ProviderType type() {
    return new OpenAiChatType();
  }

  @Override
  public ObjectNode settings(URI address) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    return settings.put("base_url", address + "/v1").put("model", "m").put("prompt", "{{/q}}");
  }

  @Override
  public String mediaType() {
    return "application/json";
  }

  @Override
  public String good() {
    return "{\"model\":\"m\",\"choices\":[{\"finish_reason\":\"stop\",\"message\":"
        + "{\"content\":\"because\"}}],\"usage\":{\"total_tokens\":7}}";
  }

  @Override
  public List<String> cuts() {
    return List.of("", "{", good().substring(0, 60), good().substring(0, good().length() - 1));
  }
}
