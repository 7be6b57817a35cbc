package dev.onejob.providers.httpasync;

import dev.onejob.provider.Provider;
import dev.onejob.providers.ProviderContext;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Providers of the type {@code http-async}, from settings as one writes them. */
final class Adapters {
  private static final YAMLMapper YAML = new YAMLMapper();

  private static final Map<String, String> ENVIRONMENT =
      Map.of("PEER_KEY", "the-key", "PEER_SECRET", ReplicateDialect.SECRET);

  private Adapters() {}

  static JsonNode settings(String yaml) {
    return YAML.readTree(yaml);
  }

  static Provider of(String yaml) {
    return of(settings(yaml));
  }

  static Provider of(JsonNode settings) {
    ProviderContext context =
        new ProviderContext(
            ENVIRONMENT::get,
            Path.of("."),
            () -> {
              throw new IllegalStateException("no sandbox");
            });
    return new HttpAsyncType().create("p", settings, context);
  }

  /** The profile, at a peer, asked about often. */
  static ObjectNode replicate(URI peer) {
    return (ObjectNode)
        settings(
            """
            profile: replicate
            model: owner/name
            api_key_env: PEER_KEY
            poll: {every: 20ms}
            callback: {signature: {secret_env: PEER_SECRET}}
            base_url: %s/v1
            """
                .formatted(peer));
  }

  /** The profile, at a peer, asked about often. */
  static ObjectNode fal(URI peer) {
    return (ObjectNode)
        settings(
            """
            profile: fal
            model: fal-ai/flux/dev
            api_key_env: PEER_KEY
            poll: {every: 20ms}
            callback: {signature: {keys_url: "%s/.well-known/jwks.json", user_id: user}}
            base_url: %s
            """
                .formatted(peer, peer));
  }

  /** The same, without what stands in the environment. */
  static ObjectNode withoutSecrets(ObjectNode settings) {
    settings.remove("api_key_env");
    settings.remove("callback");
    return settings;
  }
}
