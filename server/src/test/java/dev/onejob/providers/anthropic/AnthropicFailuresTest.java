package dev.onejob.providers.anthropic;

import dev.onejob.providers.FailureTableContract;
import dev.onejob.providers.ProviderType;
import java.net.URI;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

final class AnthropicFailuresTest implements FailureTableContract {
  static final String GOOD =
      "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\","
          + "\"content\":[{\"type\":\"text\",\"text\":\"because\"}],\"stop_reason\":\"end_turn\","
          + "\"usage\":{\"input_tokens\":5,\"output_tokens\":2}}";

  @Override
  public ProviderType type() {
    return new AnthropicMessagesType();
  }

  @Override
  public ObjectNode settings(URI address) {
    return AnthropicMessagesTest.settings(address);
  }

  @Override
  public String mediaType() {
    return "application/json";
  }

  @Override
  public String good() {
    return GOOD;
  }

  @Override
  public List<String> cuts() {
    return List.of("", "{", GOOD.substring(0, 90), GOOD.substring(0, GOOD.length() - 1));
  }
}
