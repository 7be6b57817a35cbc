package dev.onejob.server.config;

import dev.onejob.provider.Provider;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Types of provider that can be configured but not called. */
record TestTypes(String name, String schema) implements ProviderType {
  static final TestTypes SANDBOX =
      new TestTypes(
          "sandbox",
          """
          {"type": "object", "additionalProperties": false,
           "properties": {"url": {"type": "string"}}}
          """);

  static final TestTypes CHAT =
      new TestTypes(
          "chat",
          """
          {"type": "object", "additionalProperties": false, "required": ["model"],
           "properties": {
             "model": {"type": "string"}, "temperature": {"type": "number"},
             "key_env": {"type": "string"}, "key_file": {"type": "string"}},
           "not": {"required": ["key_env", "key_file"]}}
          """);

  @Override
  public JsonNode settingsSchema() {
    return JsonMapper.shared().readTree(schema);
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    throw new InvalidSetting("/model", "there is no model " + settings.path("model").asString(""));
  }
}
