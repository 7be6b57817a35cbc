package dev.onejob.server.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures and secrets as Standard Webhooks 1.0 has them, with HMAC-SHA256 ({@code v1}). */
final class Signature {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String SECRET_PREFIX = "whsec_";

  private Signature() {}

  /**
   * The value of {@code webhook-signature}: one signature for each secret, separated by spaces.
   *
   * @param at whole seconds of it are signed
   */
  static String of(String id, Instant at, byte[] body, List<byte[]> secrets) {
    byte[] head = (id + "." + at.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8);
    return secrets.stream()
        .map(secret -> "v1," + Base64.getEncoder().encodeToString(hmac(secret, head, body)))
        .collect(Collectors.joining(" "));
  }

  /** A secret as receivers are given it. */
  static String text(byte[] secret) {
    return SECRET_PREFIX + Base64.getEncoder().encodeToString(secret);
  }

  private static byte[] hmac(byte[] secret, byte[] head, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(head);
      return mac.doFinal(body);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }
}
