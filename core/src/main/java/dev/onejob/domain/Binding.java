package dev.onejob.domain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What a qualification is bound to. It is void as soon as any of it changes, by a single character.
 *
 * @param contractHash of the contract of the kind
 * @param settingsHash of the settings of the provider that change what it does
 * @param adapterVersion of the adapter that calls it
 * @param requestedModel the model that is asked for; empty where there is none to ask for
 */
public record Binding(
    String contractHash, String settingsHash, String adapterVersion, String requestedModel) {

  /** Version of the digest; raised if its form changes, which voids every pass. */
  private static final String FORM = "onejob-binding-v1";

  /** SHA-256 over all of it, each part with its length before it; 64 hexadecimal digits. */
  public String digest() {
    MessageDigest sha256 = sha256();
    for (String part : List.of(FORM, contractHash, settingsHash, adapterVersion, requestedModel)) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      sha256.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
      sha256.update(bytes);
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
