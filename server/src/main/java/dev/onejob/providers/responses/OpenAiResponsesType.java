package dev.onejob.providers.responses;

import dev.onejob.provider.CallbackReader;
import dev.onejob.provider.Provider;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import dev.onejob.providers.Twisting;
import dev.onejob.providers.model.FailureTable;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.PromptTwisting;
import dev.onejob.providers.model.Verdict;
import dev.onejob.providers.signature.Secrets;
import dev.onejob.providers.signature.Signature;
import dev.onejob.providers.signature.StandardWebhooks;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The type {@code openai-responses}. */
public final class OpenAiResponsesType implements ProviderType {
  /** OpenAI takes no smaller limit than that. */
  private static final PromptTwisting.Own MAX_TOKENS =
      new PromptTwisting.Own("max_output_tokens", 16);

  private static final String WEBHOOK_SECRET = "/webhook_secret";

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
        read,
        webhooks(own, new Secrets(context)));
  }

  /** None are taken without a secret: whoever likes could have us look. */
  private static Optional<CallbackReader> webhooks(ResponseSettings settings, Secrets secrets) {
    List<String> read =
        secrets.read(settings.webhookSecretEnv(), settings.webhookSecretFile(), WEBHOOK_SECRET);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    String which = WEBHOOK_SECRET + (settings.webhookSecretEnv() == null ? "_file" : "_env");
    if (!settings.inBackground()) {
      throw new InvalidSetting(which, "only what is in the background ends with an event");
    }
    try {
      return Optional.of(
          new ResponseWebhooks(new StandardWebhooks(read, Signature.USUAL_TOLERANCE)));
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting(which, String.valueOf(e.getMessage()));
    }
  }

  /** How the endpoint renders a prompt, it does not show. */
  @Override
  public Optional<Twisting> twisting() {
    return Optional.of(
        new PromptTwisting(
            Map.of("max_tokens", MAX_TOKENS), (settings, context, request) -> Optional.empty()));
  }
}
