package dev.onejob.providers.openai;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import dev.onejob.providers.Twisting;
import dev.onejob.providers.model.ApiKey;
import java.time.InstantSource;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The type {@code openai-chat}. */
public final class OpenAiChatType implements ProviderType {
  private final SettingsSchema schema = SettingsSchema.beside(OpenAiChatType.class);

  @Override
  public String name() {
    return "openai-chat";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    ChatSettings read = schema.read(settings, ChatSettings.class);
    return new OpenAiChatProvider(
        ChatRequest.of(read, ApiKey.of(read.apiKeyEnv(), read.apiKeyFile(), context)),
        new ChatReading(read, InstantSource.system()));
  }

  @Override
  public Optional<Twisting> twisting() {
    return Optional.of(new ChatTwisting(schema));
  }
}
