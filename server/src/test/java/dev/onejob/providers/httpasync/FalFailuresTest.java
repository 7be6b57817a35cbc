package dev.onejob.providers.httpasync;

import java.net.URI;
import tools.jackson.databind.node.ObjectNode;

final class FalFailuresTest implements AsyncFailures {
  @Override
  public ObjectNode settings(URI address) {
    return Adapters.withoutSecrets(Adapters.fal(address));
  }

  /** The result, which has an address of its own, is this document too. */
  @Override
  public String good() {
    return "{\"status\":\"COMPLETED\",\"request_id\":\"w1\",\"images\":[]}";
  }
}
