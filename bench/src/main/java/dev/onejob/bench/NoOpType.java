package dev.onejob.bench;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The type {@code no-op}, without settings. */
final class NoOpType implements ProviderType {
  @Override
  public String name() {
    return "no-op";
  }

  @Override
  public JsonNode settingsSchema() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "object")
        .put("additionalProperties", false);
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    return new NoOpProvider();
  }
}
