package dev.onejob.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** How secrets are made and digested. */
final class Secrets {
  private static final String PREFIX = "ojk_";
  private static final int RANDOM_BYTES = 32;

  /** The prefix and 256 bits in base 64 without padding: 43 characters. */
  private static final int SECRET_CHARS = PREFIX.length() + 43;

  private Secrets() {}

  static String next(SecureRandom random) {
    byte[] bits = new byte[RANDOM_BYTES];
    random.nextBytes(bits);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
  }

  /** Whether the text can be a secret at all; what cannot be is not worth a look-up. */
  static boolean hasForm(String text) {
    return text.length() == SECRET_CHARS && text.startsWith(PREFIX);
  }

  static byte[] sha256(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
