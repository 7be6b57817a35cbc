package dev.onejob.providers.openai;

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
import tools.jackson.databind.JsonNode;

/** The type {@code openai-chat}. */
public final class OpenAiChatType implements ProviderType {
  /** What any such endpoint may be relied on for: next to nothing. */
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.SubmitDeduplication.NONE,
          Capabilities.ReferenceSurvival.NONE,
          Capabilities.StatusProbe.NONE,
          Capabilities.NegativeAnswer.MAY_COME_LATER,
          Capabilities.Cancel.DISCONNECT,
          Capabilities.TerminalState.STABLE,
          Capabilities.HiddenReexecution.UNKNOWN,
          Capabilities.BillingOnCancel.UNKNOWN,
          null,
          null);

  private final SettingsSchema schema = SettingsSchema.beside(OpenAiChatType.class);

  @Override
  public String name() {
    return "openai-chat";
  }

  /** 2: requests that are passed on reach no further than one answer, and are not stored. */
  @Override
  public String version() {
    return "2";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    ModelSettings read = schema.read(settings, ModelSettings.class);
    ChatSettings own = schema.read(settings, ChatSettings.class);
    own.check(read);
    FailureTable failures = new FailureTable(read, InstantSource.system());
    return new SynchronousModel(
        CAPABILITIES,
        read,
        ChatRequest.of(read, own, read.key(context)),
        new AnswerReading(own.dialect(), Verdict.Asked.of(read, own.words()), failures));
  }

  @Override
  public Optional<Twisting> twisting() {
    return Optional.of(
        new PromptTwisting(
            Map.of(),
            (settings, context, request) -> {
              ModelSettings read = schema.read(settings, ModelSettings.class);
              ChatSettings own = schema.read(settings, ChatSettings.class);
              return new PromptRendering(read, own, read.key(context), request).rendered();
            }));
  }
}
