package dev.onejob.providers.httpkeyed;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Provider;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import dev.onejob.providers.http.Timeouts;
import dev.onejob.providers.httpkeyed.KeyedSettings.Ended;
import dev.onejob.providers.httpkeyed.KeyedSettings.Profile;
import dev.onejob.providers.model.ApiKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The type {@code http-keyed}. */
public final class KeyedType implements ProviderType {
  /** Stripe may forget a key once it is so old (docs.stripe.com/api/idempotent_requests). */
  private static final Duration STRIPE_KEEPS = Duration.ofHours(24);

  private final SettingsSchema schema = SettingsSchema.beside(KeyedType.class);

  @Override
  public String name() {
    return "http-keyed";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    KeyedSettings read = schema.read(settings, KeyedSettings.class);
    Optional<ApiKey> key = ApiKey.of(read.apiKeyEnv(), read.apiKeyFile(), context);
    KeyedRequest request = KeyedRequest.of(read, key);
    KeyedRules rules = KeyedRules.of(read);
    return new KeyedProvider(
        request,
        new KeyedReading(rules, InstantSource.system()),
        KeyedQuestion.of(read, request, rules.id().isPresent()),
        Timeouts.of(read.connectTimeout(), read.firstByteTimeout(), read.silenceTimeout()),
        capabilities(read));
  }

  private static Capabilities capabilities(KeyedSettings settings) {
    boolean stripe = settings.profile() == Profile.STRIPE;
    boolean stable = settings.ended() == null ? stripe : settings.ended() == Ended.STABLE;
    return new Capabilities(
        settings.keyMember() == null
            ? Capabilities.SubmitDeduplication.HEADER_KEY
            : Capabilities.SubmitDeduplication.BODY_TOKEN,
        Capabilities.ReferenceSurvival.NONE,
        settings.lookUp() == null
            ? Capabilities.StatusProbe.NONE
            : Capabilities.StatusProbe.BY_PROVIDER_ID,
        Capabilities.NegativeAnswer.MAY_COME_LATER,
        Capabilities.Cancel.NONE,
        stable ? Capabilities.TerminalState.STABLE : Capabilities.TerminalState.MAY_CHANGE,
        stripe ? Capabilities.HiddenReexecution.NONE : Capabilities.HiddenReexecution.UNKNOWN,
        Capabilities.BillingOnCancel.UNKNOWN,
        null,
        kept(settings, stripe));
  }

  private static Duration kept(KeyedSettings settings, boolean stripe) {
    if (settings.keyKept() == null) {
      if (stripe) {
        return STRIPE_KEEPS;
      }
      throw new InvalidSetting("/key_kept", "expected for how long a key holds, such as 24h");
    }
    String text = settings.keyKept().toUpperCase(Locale.ROOT);
    Duration kept = Duration.parse((text.endsWith("D") ? "P" : "PT") + text);
    if (kept.isZero()) {
      throw new InvalidSetting("/key_kept", "expected more than nothing");
    }
    if (stripe && kept.compareTo(STRIPE_KEEPS) > 0) {
      throw new InvalidSetting("/key_kept", "Stripe keeps a key for 24h; expected no more");
    }
    return kept;
  }
}
