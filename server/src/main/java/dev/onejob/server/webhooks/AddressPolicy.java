package dev.onejob.server.webhooks;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses may be connected to, against requests that are forged by way of this server. By
 * itself only what is public; the lists follow the special-purpose registries of IANA (RFC 6890 and
 * its successors).
 *
 * @param reach what is allowed beyond public addresses
 * @param allowed blocks that are allowed whatever they are, but for addresses of metadata: those
 *     need a block that holds nothing else
 */
public record AddressPolicy(Reach reach, List<Network> allowed) {
  /** Public addresses, and nothing else. */
  public static final AddressPolicy PUBLIC = new AddressPolicy(Reach.PUBLIC, List.of());

  /** How far webhooks reach. */
  public enum Reach {
    PUBLIC,
    /** Also private, shared and loopback addresses; never link-local or multicast ones. */
    PRIVATE
  }

  /** Private (RFC 1918), shared (RFC 6598), loopback, and unique local (RFC 4193). */
  private static final List<Network> PRIVATE_ONES =
      networks(
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "::1/128",
          "fc00::/7");

  /**
   * Where clouds answer every machine with its credentials; only a block within one of these allows
   * them.
   */
  private static final List<Network> METADATA =
      networks(
          "169.254.169.254",
          "169.254.170.2",
          "100.100.100.200",
          "168.63.129.16",
          "192.0.0.192",
          "fd00:ec2::/32",
          "fd00:42::42",
          "fd20:ce::254");

  private static final List<Network> SPECIAL_V4 =
      networks(
          "0.0.0.0/8",
          "10.0.0.0/8",
          "100.64.0.0/10",
          "127.0.0.0/8",
          "169.254.0.0/16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.31.196.0/24",
          "192.52.193.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "192.175.48.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          "240.0.0.0/4");

  /** Of IPv6, what is not global unicast is not public. */
  private static final Network GLOBAL_V6 = Network.of("2000::/3");

  /** Within it: protocol assignments with Teredo, documentation, 6to4, and the like. */
  private static final List<Network> SPECIAL_V6 =
      networks("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20");

  /** Addresses of IPv4 in the clothes of IPv6, by way of a translator (RFC 6052). */
  private static final Network TRANSLATED = Network.of("64:ff9b::/96");

  private static final int V4_BYTES = 4;
  private static final int V6_BYTES = 16;

  /** Copies the list. */
  public AddressPolicy {
    allowed = List.copyOf(allowed);
  }

  /** Whether the address may be connected to. */
  public boolean allows(InetAddress address) {
    return allows(address.getAddress());
  }

  private boolean allows(byte[] address) {
    if (TRANSLATED.holds(address)) {
      byte[] behind = Arrays.copyOfRange(address, V6_BYTES - V4_BYTES, V6_BYTES);
      return allows(behind) || (isIn(allowed, address) && !isIn(METADATA, behind));
    }
    if (isIn(METADATA, address)) {
      return METADATA.stream().anyMatch(metadata -> names(metadata, address));
    }
    return isIn(allowed, address)
        || isPublic(address)
        || (reach == Reach.PRIVATE && isIn(PRIVATE_ONES, address));
  }

  /** Whether an allowed block is about metadata alone; a wide one, as 10.0.0.0/8, is not. */
  private boolean names(Network metadata, byte[] address) {
    return allowed.stream()
        .anyMatch(
            block ->
                block.holds(address)
                    && block.prefix() >= metadata.prefix()
                    && metadata.holds(block.first()));
  }

  /** What Java knows as an address of IPv4 in IPv6 clothes it has made one of 4 bytes before. */
  private static boolean isPublic(byte[] address) {
    return address.length == V4_BYTES
        ? !isIn(SPECIAL_V4, address)
        : GLOBAL_V6.holds(address) && !isIn(SPECIAL_V6, address);
  }

  private static boolean isIn(List<Network> networks, byte[] address) {
    return networks.stream().anyMatch(network -> network.holds(address));
  }

  private static List<Network> networks(String... texts) {
    return Stream.of(texts).map(Network::of).toList();
  }
}
