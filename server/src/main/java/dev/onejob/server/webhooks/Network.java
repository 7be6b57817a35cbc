package dev.onejob.server.webhooks;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of addresses, as in {@code 10.0.0.0/8} or {@code fd00::/8}.
 *
 * @param first 4 or 16 bytes, not to be changed; bits beyond the prefix do not count
 * @param prefix bits that count
 */
public record Network(byte[] first, int prefix) {
  private static final Pattern FORM = Pattern.compile("([0-9a-fA-F.:]{2,45})(?:/([0-9]{1,3}))?");
  private static final Pattern DOTTED = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

  /**
   * Reads a block; an address alone is a block of one. Never looks a name up.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static Network of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || !(text.contains(":") || DOTTED.matcher(form.group(1)).matches())) {
      throw notANetwork(text);
    }
    try {
      byte[] first = InetAddress.getByName(form.group(1)).getAddress();
      int bits = first.length * Byte.SIZE;
      int prefix = form.group(2) == null ? bits : Integer.parseInt(form.group(2));
      if (prefix > bits) {
        throw notANetwork(text);
      }
      return new Network(first, prefix);
    } catch (UnknownHostException e) {
      throw notANetwork(text);
    }
  }

  /** The block as one would write it. */
  public String text() {
    try {
      return InetAddress.getByAddress(first).getHostAddress() + "/" + prefix;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("a network has 4 or 16 bytes", e);
    }
  }

  private static IllegalArgumentException notANetwork(String text) {
    return new IllegalArgumentException(
        "\"" + text + "\" is no network such as 10.1.0.0/16, fd00::/8 or 127.0.0.1");
  }

  /** Whether the address, of 4 or 16 bytes, is in the block. */
  public boolean holds(byte[] address) {
    if (address.length != first.length) {
      return false;
    }
    int rest = first.length * Byte.SIZE - prefix;
    return new BigInteger(1, address)
        .shiftRight(rest)
        .equals(new BigInteger(1, first).shiftRight(rest));
  }
}
