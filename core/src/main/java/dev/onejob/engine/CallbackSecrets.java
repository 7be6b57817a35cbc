package dev.onejob.engine;

import dev.onejob.domain.AttemptId;
import dev.onejob.store.CallbackKey;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets of callback addresses: derived from the attempt's id and the key of the deployment,
 * so that nothing has to be written for an attempt, and every node knows all of them.
 */
final class CallbackSecrets {
  private static final String ALGORITHM = "HmacSHA256";

  /** Whatever else may be derived from the same key one day is another text. */
  private static final String DOMAIN = "onejob-callback-v1\n";

  private final SecretKeySpec key;

  CallbackSecrets(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** Those of the deployment that the database belongs to; made if there are none yet. */
  static CallbackSecrets of(CallbackKey stored) {
    byte[] fresh = new byte[CallbackKey.BYTES];
    new SecureRandom().nextBytes(fresh);
    return new CallbackSecrets(stored.orElse(fresh));
  }

  /** 43 letters, digits, {@code -} and {@code _}. */
  String of(AttemptId attempt) {
    byte[] text = (DOMAIN + attempt).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(mac().doFinal(text));
  }

  /** Whether it is the secret of this attempt; takes as long for a near miss as for any other. */
  boolean matches(AttemptId attempt, String secret) {
    return MessageDigest.isEqual(
        of(attempt).getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  private Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
