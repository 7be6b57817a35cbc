package dev.onejob.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.server.webhooks.AddressPolicy.Reach;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses webhooks may reach. */
class AddressPolicyTest {
  private static final AddressPolicy PRIVATE = new AddressPolicy(Reach.PRIVATE, List.of());

  private static boolean allows(AddressPolicy policy, String address) throws UnknownHostException {
    return policy.allows(InetAddress.getByName(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "1.1.1.1",
        "93.184.216.34",
        "172.32.0.1",
        "172.15.255.255",
        "11.0.0.1",
        "100.128.0.1",
        "169.253.1.1",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450::1",
        "64:ff9b::8.8.8.8"
      })
  void public_addresses_are_reached(String address) throws UnknownHostException {
    assertThat(allows(AddressPolicy.PUBLIC, address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "169.254.169.254",
        "169.254.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "3fff::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "5f00::1"
      })
  void everything_else_is_not(String address) throws UnknownHostException {
    assertThat(allows(AddressPolicy.PUBLIC, address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.1", "192.168.1.1", "127.0.0.1", "::1", "fd12::1", "100.64.0.1"})
  void private_addresses_are_reached_where_the_operator_says_so(String address)
      throws UnknownHostException {
    assertThat(allows(PRIVATE, address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.1.1",
        "fe80::1",
        "224.0.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "100.100.100.200",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd00:42::42",
        "192.0.2.1",
        "64:ff9b::169.254.169.254",
        "ff02::1"
      })
  void even_then_nothing_that_is_no_address_of_a_receiver(String address)
      throws UnknownHostException {
    assertThat(allows(PRIVATE, address)).isFalse();
  }

  @Test
  void a_network_that_is_named_is_reached_and_not_its_neighbour() throws UnknownHostException {
    AddressPolicy policy =
        new AddressPolicy(
            Reach.PUBLIC, List.of(Network.of("10.1.2.0/23"), Network.of("fd00:1::/32")));
    assertThat(allows(policy, "10.1.2.0")).isTrue();
    assertThat(allows(policy, "10.1.3.255")).isTrue();
    assertThat(allows(policy, "10.1.4.0")).isFalse();
    assertThat(allows(policy, "10.1.1.255")).isFalse();
    assertThat(allows(policy, "fd00:1::9")).isTrue();
    assertThat(allows(policy, "fd00:2::9")).isFalse();
    assertThat(allows(policy, "::ffff:10.1.2.1")).isTrue();
  }

  @Test
  void a_wide_block_does_not_open_the_metadata_within_it_and_a_block_of_its_own_does()
      throws UnknownHostException {
    AddressPolicy wide =
        new AddressPolicy(
            Reach.PUBLIC,
            List.of(
                Network.of("169.254.0.0/16"),
                Network.of("100.64.0.0/10"),
                Network.of("fd00::/8"),
                Network.of("64:ff9b::/96")));
    AddressPolicy narrow =
        new AddressPolicy(
            Reach.PUBLIC, List.of(Network.of("169.254.169.254"), Network.of("fd00:ec2:0:1::/64")));

    assertThat(allows(wide, "169.254.169.254")).isFalse();
    assertThat(allows(wide, "64:ff9b::169.254.169.254")).isFalse();
    assertThat(allows(wide, "100.100.100.200")).isFalse();
    assertThat(allows(wide, "fd00:ec2::254")).isFalse();
    assertThat(allows(wide, "169.254.1.1")).isTrue();
    assertThat(allows(wide, "64:ff9b::10.0.0.1")).isTrue();
    assertThat(allows(wide, "fd12::1")).isTrue();
    assertThat(allows(narrow, "169.254.169.254")).isTrue();
    assertThat(allows(narrow, "fd00:ec2:0:1::9")).isTrue();
    assertThat(allows(narrow, "fd00:ec2::254")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "10.0.0.0/33",
        "10.0.0/8",
        "10",
        "fd00::/129",
        "10.0.0.0/",
        "10.0.0.0/-1",
        "example.com/8",
        "256.0.0.1",
        "abcd",
        "::1%lo"
      })
  void what_is_no_network_is_refused_and_never_looked_up(String text) {
    assertThatThrownBy(() -> Network.of(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
