package dev.onejob.domain;

import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Prefixed, sortable ids: 26 characters of Crockford base 32 over a UUID of version 7, whose first
 * 48 bits are milliseconds since 1970 (RFC 9562, section 5.7).
 */
final class Ids {
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int CHARS = 26;
  private static final int BITS_PER_CHAR = 5;

  private Ids() {}

  static UUID timeOrdered(long epochMillis, RandomGenerator random) {
    long high = (epochMillis << 16) | 0x7000L | (random.nextLong() & 0x0FFFL);
    long low = 0x8000_0000_0000_0000L | (random.nextLong() >>> 2);
    return new UUID(high, low);
  }

  static String text(String prefix, UUID id) {
    char[] chars = new char[CHARS];
    long high = id.getMostSignificantBits();
    long low = id.getLeastSignificantBits();
    for (int i = CHARS - 1; i >= 0; i--) {
      chars[i] = ALPHABET.charAt((int) (low & 31));
      low = (low >>> BITS_PER_CHAR) | (high << (64 - BITS_PER_CHAR));
      high >>>= BITS_PER_CHAR;
    }
    return prefix + new String(chars);
  }

  /** Reads exactly what {@link #text} writes; anything else is no id. */
  static Optional<UUID> parse(String prefix, String text) {
    if (text.length() != prefix.length() + CHARS || !text.startsWith(prefix)) {
      return Optional.empty();
    }
    long high = 0;
    long low = 0;
    for (int i = prefix.length(); i < text.length(); i++) {
      int digit = ALPHABET.indexOf(text.charAt(i));
      boolean overflows = i == prefix.length() && digit > 7;
      if (digit < 0 || overflows) {
        return Optional.empty();
      }
      high = (high << BITS_PER_CHAR) | (low >>> (64 - BITS_PER_CHAR));
      low = (low << BITS_PER_CHAR) | digit;
    }
    return Optional.of(new UUID(high, low));
  }
}
