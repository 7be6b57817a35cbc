package dev.onejob.server.webhooks;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks names up. */
@FunctionalInterface
public interface Resolver {
  /** As this machine does. */
  Resolver SYSTEM = InetAddress::getAllByName;

  /**
   * The addresses of a host.
   *
   * @param host a name, or an address as text without brackets
   * @return at least one
   */
  InetAddress[] resolve(String host) throws UnknownHostException;
}
