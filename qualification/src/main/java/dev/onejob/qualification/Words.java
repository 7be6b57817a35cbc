package dev.onejob.qualification;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Words that nobody can guess and that are the same for the same run. */
final class Words {
  private static final int BYTES = 4;

  private final String seed;

  Words(String seed) {
    this.seed = seed;
  }

  /** The word for a purpose, such as {@code canary-1f0a93c2}. */
  String of(String purpose) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((seed + "\n" + purpose).getBytes(StandardCharsets.UTF_8));
      return "canary-" + HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
