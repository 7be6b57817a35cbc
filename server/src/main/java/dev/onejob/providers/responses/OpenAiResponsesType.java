package dev.onejob.providers.responses;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import dev.onejob.providers.Twisting;
import dev.onejob.providers.model.FailureTable;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.PromptTwisting;
import dev.onejob.providers.model.Verdict;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The type {@code openai-responses}. */
public final class OpenAiResponsesType implements ProviderType {
  /** OpenAI takes no smaller limit than that. */
  private static final PromptTwisting.Own MAX_TOKENS =
      new PromptTwisting.Own("max_output_tokens", 16);

  private final SettingsSchema schema = SettingsSchema.beside(OpenAiResponsesType.class);

  @Override
  public String name() {
    return "openai-responses";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    ModelSettings read = schema.read(settings, ModelSettings.class);
    ResponseSettings own = schema.read(settings, ResponseSettings.class);
    FailureTable failures = new FailureTable(read, InstantSource.system());
    return new OpenAiResponsesProvider(
        own,
        ResponseRequest.of(read, own, read.key(context)),
        new ResponseReading(Verdict.Asked.of(read), failures, own),
        read);
  }

  /** How the endpoint renders a prompt, it does not show. */
  @Override
  public Optional<Twisting> twisting() {
    return Optional.of(
        new PromptTwisting(
            Map.of("max_tokens", MAX_TOKENS), (settings, context, request) -> Optional.empty()));
  }
}
