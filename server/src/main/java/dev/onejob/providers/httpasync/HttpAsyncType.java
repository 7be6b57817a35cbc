package dev.onejob.providers.httpasync;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Provider;
import dev.onejob.providers.InvalidSetting;
import dev.onejob.providers.ProviderContext;
import dev.onejob.providers.ProviderType;
import dev.onejob.providers.SettingsSchema;
import dev.onejob.providers.http.Address;
import dev.onejob.providers.httpasync.Vocabulary.Words;
import dev.onejob.providers.signature.FalSignature;
import dev.onejob.providers.signature.PublishedKeys;
import dev.onejob.providers.signature.Secrets;
import dev.onejob.providers.signature.Signature;
import dev.onejob.providers.signature.StandardWebhooks;
import dev.onejob.providers.signature.StripeSignature;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** The type {@code http-async}. */
public final class HttpAsyncType implements ProviderType {
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(2);

  /** A provider is asked, not attacked. */
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);

  private static final AsyncSettings.Callback NO_CALLBACK =
      new AsyncSettings.Callback(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null);

  private final SettingsSchema schema = SettingsSchema.beside(HttpAsyncType.class);

  @Override
  public String name() {
    return "http-async";
  }

  @Override
  public JsonNode settingsSchema() {
    return schema.document();
  }

  @Override
  public Provider create(String providerName, JsonNode settings, ProviderContext context) {
    schema.read(settings, AsyncSettings.class);
    AsyncSettings read = schema.read(Profiles.over(settings), AsyncSettings.class);
    Secrets secrets = new Secrets(context);
    Capabilities capabilities = Promised.of(read);
    Requests requests = new Requests(read, apiKey(read, secrets));
    Reading reading = reading(read);
    Course.Rules rules =
        new Course.Rules(
            requests,
            looking(read, requests, reading),
            capabilities.terminalState() == Capabilities.TerminalState.STABLE
                ? Course.Stability.STABLE
                : Course.Stability.MAY_CHANGE,
            every(read));
    return new HttpAsyncProvider(
        capabilities,
        rules,
        reading,
        new HttpAsyncProvider.Acknowledgement(
            Places.pointer(Requests.required(read.id(), "/id"), "/id"),
            read.refusedStatuses() == null ? List.of() : read.refusedStatuses(),
            InstantSource.system()),
        callbacks(read, reading, secrets));
  }

  private static Optional<String> apiKey(AsyncSettings settings, Secrets secrets) {
    List<String> keys = secrets.read(settings.apiKeyEnv(), settings.apiKeyFile(), "/api_key");
    if (keys.size() > 1) {
      String which = settings.apiKeyEnv() == null ? "/api_key_file" : "/api_key_env";
      throw new InvalidSetting(which, "expected one key, without white space in it");
    }
    return keys.stream().findFirst();
  }

  private static Duration every(AsyncSettings settings) {
    Duration every =
        settings.poll() == null ? null : Durations.of(settings.poll().every(), "/poll/every");
    if (every != null && every.compareTo(SHORTEST_INTERVAL) < 0) {
      throw new InvalidSetting("/poll/every", "expected 10ms or more");
    }
    return every == null ? USUAL_INTERVAL : every;
  }

  /** The result is part of the status, unless it has an address of its own. */
  private static Reading reading(AsyncSettings settings) {
    AsyncSettings.Status status = Requests.required(settings.status(), "/status");
    AsyncSettings.Fetch result = settings.result();
    boolean inStatus = result != null && result.path() == null;
    return new Reading(
        Vocabulary.of(
            new Words(
                status.atWork(),
                status.succeeded(),
                status.failed(),
                status.failedRetryable(),
                status.stopped()),
            "/status"),
        Places.pointer(status.word(), "/status/word"),
        Places.pointer(status.error(), "/status/error"),
        inStatus ? Places.pointer(Requests.required(at(result), "/result/at"), "/result/at") : null,
        Places.pointer(status.cost(), "/status/cost"),
        result == null || result.format() == null ? AsyncSettings.Format.JSON : result.format());
  }

  private static @Nullable String at(AsyncSettings.@Nullable Fetch result) {
    return result == null ? null : result.at();
  }

  private static Looking looking(AsyncSettings settings, Requests requests, Reading reading) {
    AsyncSettings.Fetch result = Requests.required(settings.result(), "/result");
    return new Looking(
        requests,
        reading,
        Places.pointer(result.at(), "/result/at"),
        result.failedStatuses() == null ? List.of() : result.failedStatuses(),
        InstantSource.system());
  }

  private static AsyncCallbacks callbacks(AsyncSettings settings, Reading status, Secrets secrets) {
    AsyncSettings.Callback said = settings.callback() == null ? NO_CALLBACK : settings.callback();
    JsonPointer result = Places.pointer(said.result(), "/callback/result");
    JsonPointer word = Places.pointer(said.word(), "/callback/word");
    JsonPointer error = Places.pointer(said.error(), "/callback/error");
    Reading reading =
        new Reading(
            Vocabulary.ofCallbacks(
                new Words(
                    said.atWork(),
                    said.succeeded(),
                    said.failed(),
                    said.failedRetryable(),
                    said.stopped()),
                status.vocabulary(),
                "/callback"),
            word == null ? status.word() : word,
            error == null ? status.error() : error,
            result == null ? status.result() : result,
            status.cost(),
            status.format());
    String id = said.id() == null ? settings.id() : said.id();
    return new AsyncCallbacks(
        reading,
        new AsyncCallbacks.Marks(
            Places.pointer(id, "/callback/id"),
            Places.pointer(said.attempt(), "/callback/attempt"),
            Places.pointer(said.event(), "/callback/event")),
        said.signature() == null ? null : signature(said.signature(), settings.profile(), secrets));
  }

  /** Null where nothing is checked. */
  private static @Nullable Signature signature(
      AsyncSettings.SignatureSettings said, String profile, Secrets secrets) {
    String at = "/callback/signature";
    List<String> keys = secrets.read(said.secretEnv(), said.secretFile(), at + "/secret");
    String usual = profile.equals("fal") ? "fal" : "standard-webhooks";
    String scheme = said.scheme() == null ? usual : said.scheme();
    Duration tolerance =
        Objects.requireNonNullElse(
            Durations.of(said.tolerance(), at + "/tolerance"), Signature.USUAL_TOLERANCE);
    if (scheme.equals("none")) {
      return null;
    }
    if (scheme.equals("fal")) {
      String address = Requests.required(said.keysUrl(), at + "/keys_url");
      return new FalSignature(
          new PublishedKeys(Address.of(address, at + "/keys_url")), said.userId(), tolerance);
    }
    if (keys.isEmpty()) {
      throw new InvalidSetting(at, "the scheme " + scheme + " needs secret_env or secret_file");
    }
    try {
      return scheme.equals("stripe")
          ? new StripeSignature(keys, tolerance)
          : new StandardWebhooks(keys, tolerance);
    } catch (IllegalArgumentException e) {
      throw new InvalidSetting(
          at + (said.secretEnv() == null ? "/secret_file" : "/secret_env"),
          String.valueOf(e.getMessage()));
    }
  }
}
