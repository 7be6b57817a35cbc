package dev.onejob.providers.anthropic;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import dev.onejob.providers.Twisting;
import dev.onejob.providers.model.AnswerReading;
import dev.onejob.providers.model.FailureTable;
import dev.onejob.providers.model.ModelSettings;
import dev.onejob.providers.model.PromptTwisting;
import dev.onejob.providers.model.SynchronousModel;
import dev.onejob.providers.model.Verdict;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The type {@code anthropic-messages}. */
public final class AnthropicMessagesType implements ProviderType {
  private static final String VERSION = "2023-06-01";

  /**
   * A message cannot be fetched again, by whatever name. Another model answers after a refusal only
   * where a request asks for that, and the schema of the settings lets none do so.
   */
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.SubmitDeduplication.NONE,
          Capabilities.ReferenceSurvival.NONE,
          Capabilities.StatusProbe.NONE,
          Capabilities.NegativeAnswer.MAY_COME_LATER,
          Capabilities.Cancel.DISCONNECT,
          Capabilities.TerminalState.STABLE,
          Capabilities.HiddenReexecution.SWITCHED_OFF,
          Capabilities.BillingOnCancel.UNKNOWN,
          null,
          null);

  private final SettingsSchema schema = SettingsSchema.beside(AnthropicMessagesType.class);

  /** What only this type has. */
  record Own(@Nullable String anthropicVersion) {}

  @Override
  public String name() {
    return "anthropic-messages";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    ModelSettings read = schema.read(settings, ModelSettings.class);
    String version = schema.read(settings, Own.class).anthropicVersion();
    FailureTable failures = new FailureTable(read, InstantSource.system());
    return new SynchronousModel(
        CAPABILITIES,
        read,
        MessagesRequest.of(read, read.key(context), version == null ? VERSION : version),
        new AnswerReading(new MessagesDialect(), Verdict.Asked.of(read), failures));
  }

  /** How the endpoint renders a prompt, it does not show. */
  @Override
  public Optional<Twisting> twisting() {
    return Optional.of(
        new PromptTwisting(Map.of(), (settings, context, request) -> Optional.empty()));
  }
}
