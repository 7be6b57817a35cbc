package dev.onejob.engine;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The key that a provider gets: derived from owner, key, provider and attempt number alone, so that
 * even a job that is lost with its database reaches the provider under the same key.
 */
final class ProviderKeys {
  private static final String DOMAIN = "onejob-provider-key-v1";

  private ProviderKeys() {}

  /** 67 characters: {@code oj_} and a SHA-256 in hexadecimal. */
  static String derive(Owner owner, IntentKey key, String provider, int number) {
    MessageDigest sha256 = Digests.sha256();
    // No part can hold a line end, so the parts cannot run into each other.
    String parts = String.join("\n", DOMAIN, owner.value(), key.value(), provider, "" + number);
    return "oj_" + HexFormat.of().formatHex(sha256.digest(parts.getBytes(StandardCharsets.UTF_8)));
  }
}
