package dev.onejob.providers.http;

import dev.onejob.providers.InvalidSetting;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/** Addresses in settings. */
public final class Address {
  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final int PORT_MAX = 65_535;

  private Address() {}

  /**
   * Reads an address that requests can be sent to.
   *
   * @throws InvalidSetting if it is none
   */
  public static URI of(String text, String pointer) {
    URI uri = parsed(text, pointer);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean whole = SCHEMES.contains(scheme) && uri.getHost() != null && uri.getPort() <= PORT_MAX;
    if (!whole) {
      throw new InvalidSetting(
          pointer,
          "expected an http or https address with a host name of letters, digits, - and .");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      throw new InvalidSetting(pointer, "expected an address without user, password or fragment");
    }
    return uri;
  }

  private static URI parsed(String text, String pointer) {
    try {
      URI uri = new URI(text);
      return new URI(uri.toASCIIString());
    } catch (URISyntaxException e) {
      throw new InvalidSetting(pointer, "not an address: " + e.getReason());
    }
  }
}
