package dev.onejob.intent;

import dev.onejob.domain.Fingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;

public final class Intent {
  public static final int VERSION = 1;

  public static Fingerprint fingerprint(String kind, JsonValue v, @Nullable List<String> r) {
    return fingerprint(1, kind, v, r);
  }

  public static Fingerprint fingerprint(
      int version, String kind, JsonValue v, @Nullable List<String> r) {
    try {
      return new Fingerprint(
          1,
          java.security.MessageDigest.getInstance("SHA-256")
              .digest(
                  (kind + new String(v.b(), java.nio.charset.StandardCharsets.UTF_8) + r)
                      .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
