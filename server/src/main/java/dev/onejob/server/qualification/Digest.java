package dev.onejob.server.qualification;

import dev.onejob.domain.Binding;
import dev.onejob.intent.CanonicalJson;
import dev.onejob.intent.JsonLimits;
import dev.onejob.intent.JsonRefused;
import dev.onejob.intent.StrictJson;
import dev.onejob.providers.BoundedJson;
import dev.onejob.providers.ProviderType;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a pass is bound to, besides the contract. */
final class Digest {
  private Digest() {}

  /** SHA-256 over type and settings of a provider in their canonical form. */
  static String ofSettings(ProviderType type, JsonNode settings) {
    ObjectNode all = JsonNodeFactory.instance.objectNode().put("type", type.name());
    all.set("settings", settings);
    try {
      byte[] canonical =
          CanonicalJson.write(StrictJson.read(BoundedJson.bytes(all), JsonLimits.RESULT));
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(canonical));
    } catch (JsonRefused e) {
      throw new IllegalArgumentException("settings that are no JSON: " + e.getMessage(), e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** All of it. */
  static Binding binding(String contractHash, Probed provider) {
    String model = provider.candidate().model();
    return new Binding(
        contractHash,
        provider.settingsHash(),
        provider.type().version(),
        model == null ? "" : model);
  }
}
