package dev.onejob.intent;

import dev.onejob.domain.IntentKey;
import java.util.List;

/**
 * Reads the {@code Idempotency-Key} header (IETF draft-ietf-httpapi-idempotency-key-header). The
 * quoted form of the draft and the bare form are the same key.
 */
public final class KeyHeader {
  private KeyHeader() {}

  /**
   * Reads the key.
   *
   * @param values every line of that header, as received
   * @throws IllegalArgumentException saying what is wrong; also for no header and for several
   */
  public static IntentKey parse(List<String> values) {
    if (values.size() != 1) {
      throw new IllegalArgumentException(
          values.isEmpty()
              ? "the header Idempotency-Key is missing"
              : "one Idempotency-Key header is taken, there are " + values.size());
    }
    String value = values.getFirst();
    return new IntentKey(value.startsWith("\"") ? unquoted(value) : value);
  }

  /** A structured-field string (RFC 8941, section 3.3.3). */
  private static String unquoted(String value) {
    StringBuilder key = new StringBuilder();
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        if (i + 1 < value.length()) {
          throw new IllegalArgumentException(
              "after the closing quote of the key comes more: one key is taken");
        }
        return key.toString();
      }
      if (c == '\\') {
        i++;
        c = i < value.length() ? value.charAt(i) : 0;
        if (c != '"' && c != '\\') {
          throw new IllegalArgumentException(
              "in a quoted key a backslash escapes only a quote or a backslash");
        }
      }
      key.append(c);
    }
    throw new IllegalArgumentException("the quoted key has no closing quote");
  }
}
