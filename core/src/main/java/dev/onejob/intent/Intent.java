package dev.onejob.intent;

import dev.onejob.domain.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprint of an intent: kind, input and an explicit route. What does not change the act is
 * not part of it: wait time, deadline, priority, tags.
 */
public final class Intent {
  /** The version of the canonical form that new fingerprints have. */
  public static final int VERSION = 1;

  private static final String DOMAIN = "onejob-intent-v1";

  private Intent() {}

  /**
   * The fingerprint in the newest version.
   *
   * @param explicitRoute null if the submitter chose none, which is another intent than any choice
   * @throws IllegalArgumentException if the route names no provider: that is no choice
   */
  public static Fingerprint fingerprint(
      String kind, JsonValue input, @Nullable List<String> explicitRoute) {
    return fingerprint(VERSION, kind, input, explicitRoute);
  }

  /**
   * The fingerprint in the version that a stored one has, so that old keys still match.
   *
   * @throws IllegalArgumentException if this program does not know the version, or the route names
   *     no provider
   */
  public static Fingerprint fingerprint(
      int version, String kind, JsonValue input, @Nullable List<String> explicitRoute) {
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "fingerprint version " + version + " is not known to this program");
    }
    if (explicitRoute != null && explicitRoute.isEmpty()) {
      throw new IllegalArgumentException("an explicit route names at least one provider");
    }
    MessageDigest sha256 = sha256();
    frame(sha256, DOMAIN.getBytes(StandardCharsets.UTF_8));
    frame(sha256, kind.getBytes(StandardCharsets.UTF_8));
    frame(sha256, CanonicalJson.write(input));
    if (explicitRoute != null) {
      for (String provider : explicitRoute) {
        frame(sha256, provider.getBytes(StandardCharsets.UTF_8));
      }
    }
    return new Fingerprint(version, sha256.digest());
  }

  /** Each part after its length, so that no two lists of parts give the same bytes. */
  private static void frame(MessageDigest into, byte[] part) {
    into.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
    into.update(part);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
