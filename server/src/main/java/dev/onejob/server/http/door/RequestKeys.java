package dev.onejob.server.http.door;

import dev.onejob.domain.IntentKey;
import dev.onejob.domain.Owner;

/** The keys of requests that bring none. */
public interface RequestKeys {
  /**
   * The key of a request: the one that the same request of this owner has already, as long as its
   * job is not over for longer than a window; else a new one.
   *
   * @param digest 32 bytes, of the endpoint and the exact bytes of the request
   */
  IntentKey of(Owner owner, byte[] digest);
}
