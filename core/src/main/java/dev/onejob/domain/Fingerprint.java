package dev.onejob.domain;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * What makes two requests the same intent: a SHA-256 over a versioned canonical form.
 *
 * @param version of the canonical form, so that old keys still match after an upgrade
 * @param sha256 32 bytes
 */
public record Fingerprint(int version, byte[] sha256) {
  /** Length of the digest in bytes. */
  public static final int SHA256_BYTES = 32;

  public Fingerprint {
    if (sha256.length != SHA256_BYTES) {
      throw new IllegalArgumentException("a fingerprint has 32 bytes, not " + sha256.length);
    }
    sha256 = sha256.clone();
  }

  @Override
  public byte[] sha256() {
    return sha256.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint that
        && version == that.version
        && Arrays.equals(sha256, that.sha256);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sha256);
  }

  @Override
  public String toString() {
    return version + ":" + HexFormat.of().formatHex(sha256);
  }
}
