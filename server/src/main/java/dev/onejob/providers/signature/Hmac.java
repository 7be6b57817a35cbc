package dev.onejob.providers.signature;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 (RFC 2104) under one secret. */
final class Hmac {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  Hmac(byte[] secret) {
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /** Of the parts, one after the other. */
  byte[] of(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Takes as long for a near miss as for any other. */
  static boolean equal(byte[] expected, byte[] given) {
    return MessageDigest.isEqual(expected, given);
  }
}
